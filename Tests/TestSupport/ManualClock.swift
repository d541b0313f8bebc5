import Synchronization

/// A clock that advances only by `advance(by:)`.
public final class ManualClock: Sendable {
  private let time = Mutex(ContinuousClock.now)

  public init() {}

  public var now: ContinuousClock.Instant { time.withLock { $0 } }

  public func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
