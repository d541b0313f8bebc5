/// What minds no cancellation and ends when it is let go. One that never ended would be a leak.
public final class Stubborn: Sendable {
  private let end: Task<Void, Never>
  private let telling: AsyncStream<Never>.Continuation

  public init() {
    let (told, telling) = AsyncStream<Never>.makeStream()
    self.telling = telling
    end = Task { for await _ in told {} }
  }

  public func wait() async { await end.value }

  public func letGo() { telling.finish() }
}
