/// Finds times without a response. It reports the first of consecutive gaps, and their number when they
/// end.
struct ResponseGaps {
  private var interval = ResponseInterval()
  /// The number of consecutive gaps.
  private var count = 0
  private var total = Duration.zero
  private var longest = Duration.zero
  /// The usual interval, if the last interval was a gap.
  private(set) var usualBeforeGap: Duration?

  /// - Parameters:
  ///   - interval: the time since the last response; nil for the first one.
  ///   - latency: how long the call took.
  ///   - isRecovery: whether calls failed in between, which another event reports.
  mutating func receive(
    after interval: Duration?, _ latency: Duration?, isRecovery: Bool
  ) -> [TimelineEvent] {
    usualBeforeGap = nil
    guard let interval else { return [] }
    let usual = self.interval.usual
    guard self.interval.add(interval), !isRecovery else {
      return end(now: isRecovery ? nil : interval)
    }
    usualBeforeGap = usual
    count += 1
    total += interval
    longest = max(longest, interval)
    return count == 1 ? [.gap(interval, usual: usual, latency: latency)] : []
  }

  /// - Parameter now: the interval that is no longer a gap.
  mutating func end(now: Duration? = nil) -> [TimelineEvent] {
    defer { self = ResponseGaps(interval: interval) }
    guard count > 1 else { return [] }
    return [.gaps(count: count, total: total, longest: longest, now: now)]
  }
}
