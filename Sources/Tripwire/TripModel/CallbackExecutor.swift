public import Dispatch

/// Where subscribers are called.
///
///     model.register(board, on: .queue(DispatchQueue(label: "board")))
public struct CallbackExecutor: Sendable {
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameter run: runs what it is given, soon, anywhere, and not before it returns. For one
  ///   subscriber it is not called again before that has been run.
  public init(_ run: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void) {
    self.run = run
  }

  /// The main thread.
  public static let main = CallbackExecutor { body in
    Task { @MainActor in body() }
  }

  /// A queue, serial or concurrent: the calls of one subscriber come one after another either way.
  public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
    CallbackExecutor { body in queue.async(execute: body) }
  }

  /// An actor, which may then be the subscriber itself, or what its state is isolated to.
  public static func actor(_ actor: any Actor) -> CallbackExecutor {
    CallbackExecutor { [weak actor] body in
      guard let actor else { return }
      Task { await run(body, on: actor) }
    }
  }

  private static func run(_ body: () -> Void, on actor: isolated any Actor) {
    body()
  }
}
