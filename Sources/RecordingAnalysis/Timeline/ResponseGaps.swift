/// Finds times without a response. It reports the first of consecutive gaps, and their number when they
/// end.
struct ResponseGaps {
  private let method: String?
  private var interval = ResponseInterval()
  /// The number of consecutive gaps.
  private var count = 0
  private var total = Duration.zero
  private var longest = Duration.zero
  /// The gap that ended with the last response, if there was one.
  private(set) var last: ResponseGap?

  /// - Parameter method: see ``ResponseGap/method``.
  init(method: String?, interval: ResponseInterval = ResponseInterval()) {
    (self.method, self.interval) = (method, interval)
  }

  /// - Parameters:
  ///   - interval: the time since the last response; nil for the first one.
  ///   - latency: how long the call took.
  ///   - isRecovery: whether calls failed in between, which another event reports.
  mutating func receive(
    after interval: Duration?, _ latency: Duration?, isRecovery: Bool
  ) -> [TimelineEvent] {
    last = nil
    guard let interval else { return [] }
    let usual = self.interval.usual
    guard self.interval.add(interval), !isRecovery else {
      return end(now: isRecovery ? nil : interval)
    }
    let gap = ResponseGap(length: interval, usual: usual, method: method)
    last = gap
    count += 1
    total += interval
    longest = max(longest, interval)
    return count == 1 ? [.gap(gap, latency: latency)] : []
  }

  /// - Parameter now: the interval that is no longer a gap.
  mutating func end(now: Duration? = nil) -> [TimelineEvent] {
    defer { self = ResponseGaps(method: method, interval: interval) }
    guard count > 1 else { return [] }
    return [.gaps(count: count, total: total, longest: longest, now: now, method: method)]
  }
}
