/// A task that ignores cancellation until ``finish()`` ends it, so that tests do not leak it.
public final class UncancellableTask: Sendable {
  private let task: Task<Void, Never>
  private let continuation: AsyncStream<Never>.Continuation

  public init() {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    self.continuation = continuation
    task = Task { for await _ in stream {} }
  }

  public func wait() async { await task.value }

  public func finish() { continuation.finish() }
}
