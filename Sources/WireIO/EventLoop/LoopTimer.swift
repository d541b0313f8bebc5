/// A timer of an `EventLoop`.
///
/// Belongs to the loop, so it is not Sendable. Releasing it does not cancel it.
package final class LoopTimer {
  let instant: ContinuousClock.Instant
  private var body: (() -> Void)?

  init(_ instant: ContinuousClock.Instant, _ body: @escaping () -> Void) {
    self.instant = instant
    self.body = body
  }

  /// Whether it fired or was canceled.
  var isOver: Bool { body == nil }

  func fire() {
    let body = self.body
    self.body = nil
    body?()
  }

  /// Releases the body without running it. Does nothing after it fired or was canceled.
  package func cancel() {
    body = nil
  }
}
