import Tripwire

/// How often answers come.
struct Pace {
  private static let memory = 15
  /// In milliseconds.
  private var last: [Int] = []

  /// Half of the last ones took longer.
  var usual: Duration {
    last.count < 3
      ? TripModelOptions.defaultRefreshInterval : .milliseconds(median)
  }

  private var median: Int {
    last.first { one in
      last.count { $0 < one } <= last.count / 2 && last.count { $0 <= one } > last.count / 2
    } ?? 0
  }

  /// Returns whether it took more than three times as long as usual.
  mutating func add(_ interval: Duration) -> Bool {
    let isGap = interval > max(usual * 3, .seconds(1))
    last.append(Int(interval / .milliseconds(1)))
    if last.count > Self.memory { last.removeFirst() }
    return isGap
  }
}
