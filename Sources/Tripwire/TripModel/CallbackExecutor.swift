public import Dispatch
import WireIO

/// Where subscribers are called.
///
///     let executor = CallbackExecutor.queue(DispatchQueue(label: "board"))
///     for model in models { model.register(board, on: executor) }
///
/// What comes for several subscribers at about the same time is handed over together: let them share
/// one.
public struct CallbackExecutor: Sendable {
  private let batch: CallbackBatch

  /// - Parameter run: runs what it is given, soon, anywhere, and not before it returns.
  public init(_ run: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void) {
    batch = CallbackBatch(run)
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

  func run(_ body: @escaping @Sendable () -> Void) {
    batch.add(body)
  }
}

/// Bodies that wait for an executor.
private final class CallbackBatch: Sendable {
  private let executor: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let bodies = Locked<[@Sendable () -> Void]>([])

  init(_ executor: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.executor = executor
  }

  func add(_ body: @escaping @Sendable () -> Void) {
    let isFirst = bodies.withLock { bodies in
      bodies.append(body)
      return bodies.count == 1
    }
    if isFirst { executor { self.runAll() } }
  }

  private func runAll() {
    let bodies = bodies.withLock { bodies in
      defer { bodies = [] }
      return bodies
    }
    for body in bodies { body() }
  }
}
