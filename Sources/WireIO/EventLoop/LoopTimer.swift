/// One appointment with an `EventLoop`.
///
/// Lives on the loop: not Sendable. Dropping it does not cancel it.
public final class LoopTimer {
  let instant: ContinuousClock.Instant
  private var body: (() -> Void)?

  init(_ instant: ContinuousClock.Instant, _ body: @escaping () -> Void) {
    self.instant = instant
    self.body = body
  }

  /// Whether it was fired or cancelled.
  var isOver: Bool { body == nil }

  func fire() {
    let body = self.body
    self.body = nil
    body?()
  }

  /// Lets go of the body without running it. Does nothing once fired or cancelled.
  public func cancel() {
    body = nil
  }
}
