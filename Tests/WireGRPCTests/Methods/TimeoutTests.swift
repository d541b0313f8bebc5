import TestSupport
import Testing

@testable import WireGRPC

@Suite struct TimeoutTests {
  @Test(
    arguments: [
      (Duration.nanoseconds(1), "1n"),
      (.nanoseconds(99_999_999), "99999999n"),
      // Nine digits do not fit: the next unit is used, rounded up.
      (.nanoseconds(100_000_000), "100000u"),
      (.nanoseconds(100_000_001), "100001u"),
      (.seconds(15), "15000000u"),
      (.microseconds(99_999_999), "99999999u"),
      (.seconds(100), "100000m"),
      (.nanoseconds(100_000_000_001), "100001m"),
      (.seconds(99_999) + .milliseconds(999), "99999999m"),
      (.seconds(100_000), "100000S"),
      (.seconds(99_999_999), "99999999S"),
      (.seconds(100_000_000), "1666667M"),
      (.seconds(6_000_000_000), "1666667H"),
      (.seconds(60 * 99_999_999), "99999999M"),
      (.seconds(3600 * 99_999_999), "99999999H"),
      (.seconds(Int64.max), "99999999H"),
      // A fraction of a nanosecond is rounded up.
      (Duration(secondsComponent: 0, attosecondsComponent: 1), "1n"),
    ])
  func encodesTimeouts(_ duration: Duration, _ text: String) {
    #expect(Timeout.encode(duration) == text)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(-1)])
  func returnsNilIfNoTimeIsLeft(_ duration: Duration) {
    #expect(Timeout.encode(duration) == nil)
  }

  @Test func neverRoundsDown() throws {
    var random = SplitMix(state: 5)
    for _ in 0..<1000 {
      let bits = Int.random(in: 1..<58, using: &random)
      let duration = Duration.nanoseconds(Int64.random(in: 1...(1 << bits), using: &random))
      let text = try #require(Timeout.encode(duration))
      #expect(text.utf8.count <= 9)
      #expect(try #require(Timeout.decode(text)) >= duration)
    }
  }

  @Test(
    arguments: [
      ("1n", Duration.nanoseconds(1)), ("15000000u", .seconds(15)), ("1m", .milliseconds(1)),
      ("2S", .seconds(2)), ("3M", .seconds(180)), ("99999999H", Timeout.longest), ("0S", .zero),
    ])
  func decodesTimeouts(_ text: String, _ duration: Duration) {
    #expect(Timeout.decode(text) == duration)
  }

  @Test(arguments: ["", "S", "1", "123456789S", "-1S", "+1S", "1 S", "1s", "1.5S", "٣S", "1SS"])
  func refusesInvalidTimeouts(_ text: String) {
    #expect(Timeout.decode(text) == nil)
  }
}
