import CommandShell

/// Shows the updates of followed resources.
protocol FollowDisplay: Sendable {
  /// The errors on stderr; nil if it shows errors elsewhere.
  var printed: PrintedErrors? { get }
  /// - Throws: ``ErrorReport`` if the update cannot be shown, and the first error with --fail-fast.
  func show(_ target: FollowTarget, _ update: FollowUpdate) async throws(ErrorReport)
  /// Keeps what it shows current between updates, until the task is canceled.
  func keepFresh() async throws(ErrorReport)
  /// Waits until the display has no more readers, after the last resource has reached its end.
  func untilUnused() async
}
