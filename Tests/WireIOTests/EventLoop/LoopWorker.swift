@testable import WireIO

/// An actor of a loop that runs the closures of a test there.
actor LoopWorker {
  let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Runs `body` on the loop.
  func run<Result: Sendable>(
    _ body: @Sendable (EventLoop) throws -> Result
  ) rethrows -> Result {
    try body(loop)
  }

  /// Runs `body` on the loop, and waits until it calls its second argument once.
  func wait<Result: Sendable>(
    _ body: @Sendable (EventLoop, @escaping (Result) -> Void) -> Void
  ) async -> Result {
    await withCheckedContinuation { continuation in
      body(loop) { continuation.resume(returning: $0) }
    }
  }
}

/// A value that only the loop of a test uses.
///
/// Unchecked Sendable: the creator does not use `value` after it has given the object to a
/// ``LoopWorker``. From then on only the bodies of its `run` and `wait` use `value`, and the
/// timers, watches and jobs that they create. All of these run on the loop's thread, one after
/// another, after the actor's job was enqueued. Another thread may release the object last. Then
/// nobody uses `value`, and reference counting is atomic.
final class OnLoop<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// Runs `body` with a loop, and stops the loop in any case.
func withLoop(_ body: (EventLoop, LoopWorker) async throws -> Void) async throws {
  let loop = try EventLoop.start(name: "test")
  defer { loop.stop() }
  try await body(loop, LoopWorker(loop))
}
