public import Dispatch
import WireSystem

/// Determines where subscribers are called.
///
///     let executor = CallbackExecutor.queue(DispatchQueue(label: "board"))
///     for model in models { model.register(board, on: executor) }
///
/// Updates of several subscribers that arrive at about the same time are passed on together, so let
/// subscribers share an executor.
public struct CallbackExecutor: Sendable {
  private let batch: CallbackBatch

  /// Creates an executor.
  ///
  /// - Parameter run: a closure that schedules its argument, `body`, to run soon on any thread. The
  ///   closure must not call `body` synchronously.
  public init(_ run: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void) {
    batch = CallbackBatch(run)
  }

  /// The main actor.
  public static let main = CallbackExecutor { body in
    Task { @MainActor in body() }
  }

  /// A queue, serial or concurrent. The calls of one subscriber never overlap.
  public static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
    CallbackExecutor { body in queue.async(execute: body) }
  }

  /// An actor. When it is released, its subscribers are not called anymore.
  public static func actor(_ actor: any Actor) -> CallbackExecutor {
    CallbackExecutor { [weak actor] body in
      guard let actor else { return }
      Task { await run(body, on: actor) }
    }
  }

  private static func run(_ body: () -> Void, on actor: isolated any Actor) {
    body()
  }

  /// - Parameter drop: called instead if the executor releases the body without running it.
  func run(
    _ body: @escaping @Sendable () -> Void, orDrop drop: @escaping @Sendable () -> Void
  ) {
    batch.add(CallbackBatch.Callback(run: body, drop: drop))
  }
}

/// Collects callbacks until the executor runs them.
private final class CallbackBatch: Sendable {
  struct Callback: Sendable {
    let run: @Sendable () -> Void
    let drop: @Sendable () -> Void
  }

  private let executor: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let callbacks = Locked<[Callback]>([])

  init(_ executor: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
    self.executor = executor
  }

  func add(_ callback: Callback) {
    let isFirst = callbacks.withLock { callbacks in
      callbacks.append(callback)
      return callbacks.count == 1
    }
    guard isFirst else { return }
    let run = Run(self)
    executor { run.start() }
  }

  private func takeAll() -> [Callback] {
    callbacks.withLock { callbacks in
      defer { callbacks = [] }
      return callbacks
    }
  }

  /// Runs the callbacks once. If the executor releases it unused, as an executor does whose actor
  /// was released, it drops them, so that nothing waits for them forever.
  private final class Run: Sendable {
    private let batch: CallbackBatch
    private let isOver = Locked(false)

    init(_ batch: CallbackBatch) {
      self.batch = batch
    }

    deinit {
      guard begin() else { return }
      for callback in batch.takeAll() { callback.drop() }
    }

    func start() {
      guard begin() else { return }
      for callback in batch.takeAll() { callback.run() }
    }

    private func begin() -> Bool {
      isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
    }
  }
}
