/// Whether a resource is being followed. The raw values are those of the Consumer SDK's trip models.
public enum FollowingState: Int, Sendable, Hashable {
  /// Not yet followed, or no longer.
  case inactive = 0
  /// The server is polled, or a source reports the resource.
  case active = 1
}

/// Why a resource currently cannot be refreshed.
public struct RefreshFailure: Sendable, Hashable {
  /// The last error. Its `kind` indicates the side at fault.
  public let error: CallError
  /// When the first of the consecutive failures with this code and origin occurred.
  public let since: ContinuousClock.Instant
  /// The number of consecutive polls that failed in this way.
  public let count: Int

  /// Creates a failure for previews and tests.
  public init(error: CallError, since: ContinuousClock.Instant = .now, count: Int = 1) {
    self.error = error
    self.since = since
    self.count = count
  }
}

extension RefreshFailure {
  /// Creates the failure that follows the last one, and continues it if both have the same code and
  /// origin.
  ///
  /// - Parameter count: nil if nobody has counted the failures. A count below the last one means that the
  ///   last one ended in between.
  init(
    _ error: CallError, since: ContinuousClock.Instant, count: Int?, after last: RefreshFailure?
  ) {
    guard let last, last.error.isSimilar(to: error) else {
      self.init(error: error, since: since, count: count ?? 1)
      return
    }
    let count = count ?? last.count + 1
    self.init(error: error, since: count < last.count ? since : last.since, count: count)
  }
}

extension RefreshFailure? {
  /// Whether a reader that knows the other failure must be notified of this one, because it began
  /// later or is different.
  func isNews(since other: RefreshFailure?) -> Bool {
    guard let self, let other else { return (self == nil) != (other == nil) }
    return self.since != other.since || !self.error.isSameFailure(as: other.error)
  }
}
