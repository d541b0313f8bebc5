import Testing

@testable import WireProtobuf

@Suite struct WireDurationTests {
  @Test(
    arguments: [
      (.zero, 0, 0), (.milliseconds(1500), 1, 500_000_000),
      (.milliseconds(-1500), -1, -500_000_000),
      (.milliseconds(-1), 0, -1_000_000),
      // The nearest nanosecond.
      (Duration(secondsComponent: 0, attosecondsComponent: 499_999_999), 0, 0),
      (Duration(secondsComponent: 0, attosecondsComponent: 500_000_000), 0, 1),
      (Duration(secondsComponent: 0, attosecondsComponent: -499_999_999), 0, 0),
      (Duration(secondsComponent: 0, attosecondsComponent: -500_000_000), 0, -1),
      (Duration(secondsComponent: 1, attosecondsComponent: 999_999_999_500_000_000), 2, 0),
      (Duration(secondsComponent: -1, attosecondsComponent: -999_999_999_500_000_000), -2, 0),
      // 10,000 years.
      (.seconds(315_576_000_000), 315_576_000_000, 0),
      (.seconds(315_576_000_000) + .nanoseconds(1), 315_576_000_000, 0),
      (.seconds(-315_576_000_001), -315_576_000_000, 0),
      (Duration(attoseconds: .max), 315_576_000_000, 0),
      (Duration(attoseconds: .min), -315_576_000_000, 0),
    ] as [(Duration, Int64, Int32)])
  func swiftDurationIsConverted(_ duration: Duration, _ seconds: Int64, _ nanos: Int32) {
    #expect(WireDuration(duration) == WireDuration(seconds: seconds, nanos: nanos))
  }

  @Test func convertsToASwiftDuration() {
    #expect(WireDuration(seconds: -1, nanos: -500_000_000).duration == .milliseconds(-1500))
    #expect(WireDuration(seconds: 1, nanos: -500_000_000).duration == .milliseconds(500))
    #expect(WireDuration(seconds: .max, nanos: .max).duration > .seconds(Int64.max))
    #expect(WireDuration(seconds: .min, nanos: .min).duration < .seconds(Int64.min))
    let duration = Duration.nanoseconds(-12_345_678_901)
    #expect(WireDuration(duration).duration == duration)
  }

  @Test func durationsAreOrdered() {
    let sorted = [
      WireDuration(seconds: .min, nanos: .min), WireDuration(seconds: -1, nanos: -1),
      WireDuration(seconds: -1), WireDuration(nanos: -1), WireDuration(),
      WireDuration(seconds: 1), WireDuration(nanos: 1_500_000_000),
      WireDuration(seconds: 1, nanos: 500_000_000), WireDuration(seconds: 1, nanos: 600_000_000),
      WireDuration(seconds: .max, nanos: .max),
    ]
    #expect(sorted.reversed().sorted() == sorted)
    for (a, b) in zip(sorted, sorted.dropFirst()) { #expect(a < b && !(b < a) && !(a < a)) }
  }
}
