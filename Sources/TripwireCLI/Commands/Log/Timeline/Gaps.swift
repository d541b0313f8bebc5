import Tripwire

/// Times without an answer: of those that follow one another the first is told, and at the end how many
/// there were.
struct Gaps {
  private var pace = Pace()
  /// Of those that follow one another.
  private var count = 0
  private var total = Duration.zero
  private var longest = Duration.zero

  /// - Parameters:
  ///   - interval: since the last answer; nil for the first.
  ///   - latency: how long the call took.
  ///   - isRecovery: whether there were errors, which is told then.
  mutating func answer(
    after interval: Duration?, _ latency: Duration?, isRecovery: Bool
  ) -> [StoryEvent] {
    guard let interval else { return [] }
    let usual = pace.usual
    guard pace.add(interval), !isRecovery else { return end(now: isRecovery ? nil : interval) }
    count += 1
    total += interval
    longest = max(longest, interval)
    guard count == 1 else { return [] }
    let slow = latency.flatMap { $0 * 2 > interval ? $0 : nil }
    return [
      StoryEvent(
        "gap",
        "no answer for \(Units.latency(interval)), usually every \(Units.latency(usual))"
          + (slow.map { "; this one took \(Units.latency($0))" } ?? ""),
        ("seconds", StoryEvent.json(interval)), ("usual", StoryEvent.json(usual)),
        ("latency", latency.map(StoryEvent.json)))
    ]
  }

  /// - Parameter now: how long it took until the next answer, which is no gap.
  mutating func end(now: Duration? = nil) -> [StoryEvent] {
    defer { self = Gaps(pace: pace) }
    guard count > 1 else { return [] }
    return [
      StoryEvent(
        "gaps",
        "in all \(count) such gaps in \(Units.latency(total)), of up to \(Units.latency(longest))"
          + (now.map { "; now \(Units.latency($0))" } ?? ""),
        ("gaps", String(count)), ("seconds", StoryEvent.json(total)),
        ("longest", StoryEvent.json(longest)))
    ]
  }
}
