import WireIO

/// An actor that lives on a loop and runs what a test gives it there.
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

  /// Runs `body` on the loop, and waits until it calls what it is given, once.
  func wait<Result: Sendable>(
    _ body: @Sendable (EventLoop, @escaping (Result) -> Void) -> Void
  ) async -> Result {
    await withCheckedContinuation { continuation in
      body(loop) { continuation.resume(returning: $0) }
    }
  }
}

/// Something that only the loop of a test touches.
///
/// Sendable, unchecked: whoever makes one does not touch `value` again, but gives the object to one
/// ``LoopWorker``. From then on `value` is used in the bodies of its `run` and `wait`, and in what these
/// have the loop call: timers, watches, jobs. All of that runs on the loop's one thread, one after
/// another; what came before the actor's job is enqueued happens before it. The last to let go of it
/// may be another thread: then nobody uses `value` any more, and counting references is atomic.
final class OnLoop<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// Runs `body` with a loop, and ends the loop whatever happens.
func withLoop(_ body: (EventLoop, LoopWorker) async throws -> Void) async throws {
  let loop = try EventLoop.start(name: "test")
  defer { loop.stop() }
  try await body(loop, LoopWorker(loop))
}
