/// One appointment with an `EventLoop`.
///
/// Lives on the loop: not Sendable. Dropping it does not cancel it.
public final class LoopTimer {
  /// When it is due.
  public let instant: ContinuousClock.Instant
  let order: UInt64
  var index: Int
  var body: (() -> Void)?
  /// Where it is queued; `nil` once fired or cancelled.
  weak var heap: TimerHeap?

  init(
    _ instant: ContinuousClock.Instant, order: UInt64, index: Int, _ body: @escaping () -> Void,
    in heap: TimerHeap
  ) {
    self.instant = instant
    self.order = order
    self.index = index
    self.body = body
    self.heap = heap
  }

  /// Lets go of the body without running it. Does nothing once fired or cancelled.
  public func cancel() {
    heap?.cancel(self)
  }

  static func < (one: LoopTimer, other: LoopTimer) -> Bool {
    one.instant != other.instant ? one.instant < other.instant : one.order < other.order
  }
}
