import Tripwire

/// The usual interval between responses: the median of the last ones.
struct ResponseInterval {
  private static let sampleCount = 15
  /// In milliseconds.
  private var last: [Int] = []

  /// The median, or the interval at which the library polls while there are fewer than three.
  var usual: Duration {
    last.count < 3
      ? TripModelOptions.defaultRefreshInterval : .milliseconds(last.sorted()[last.count / 2])
  }

  /// Returns whether the interval is more than three times as long as usual.
  mutating func add(_ interval: Duration) -> Bool {
    let isGap = interval > max(usual * 3, .seconds(1))
    last.append(Int(interval / .milliseconds(1)))
    if last.count > Self.sampleCount { last.removeFirst() }
    return isGap
  }
}
