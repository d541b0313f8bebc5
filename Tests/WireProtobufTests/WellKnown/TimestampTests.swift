import Testing

@testable import WireProtobuf

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, 0, 0), (-0.0, 0, 0), (1.5, 1, 500_000_000), (-0.25, -1, 750_000_000), (-2, -2, 0),
      // Rounds to the nearest nanosecond, which may be in the next second.
      (0.000_000_000_4, 0, 0), (0.000_000_000_6, 0, 1), (0.999_999_999_6, 1, 0),
      (-0.000_000_000_4, 0, 0), (-0.000_000_000_6, -1, 999_999_999), (-1e-300, 0, 0),
      (1_785_912_645.5, 1_785_912_645, 500_000_000),
      (-62_135_596_800, -62_135_596_800, 0), (253_402_300_799, 253_402_300_799, 0),
      (253_402_300_799.5, 253_402_300_799, 500_000_000),
    ] as [(Double, Int64, Int32)])
  func secondsBecomeATimestamp(_ time: Double, _ seconds: Int64, _ nanos: Int32) {
    #expect(Timestamp(secondsSince1970: time) == Timestamp(seconds: seconds, nanos: nanos))
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 1e300, -1e300, 253_402_300_800, -62_135_596_800.5,
  ])
  func invalidSecondsAreNil(_ time: Double) {
    #expect(Timestamp(secondsSince1970: time) == nil)
  }

  @Test func timestampBecomesSeconds() {
    #expect(Timestamp(seconds: -1, nanos: 750_000_000).secondsSince1970 == -0.25)
    #expect(
      Timestamp(seconds: 1_785_912_645, nanos: 402_000_000).secondsSince1970 == 1_785_912_645.402)
    for time in [1_785_912_645.402, -1_785_912_645.402, 0.1, -0.1, 1e-9] {
      #expect(Timestamp(secondsSince1970: time)?.secondsSince1970 == time)
    }
  }

  @Test func timestampsAreOrdered() {
    let sorted = [
      Timestamp(seconds: .min, nanos: .min), Timestamp(seconds: -1),
      Timestamp(seconds: -1, nanos: 999_999_999), Timestamp(), Timestamp(seconds: 1, nanos: 5),
      Timestamp(nanos: 1_500_000_000), Timestamp(seconds: 1, nanos: 500_000_000),
      Timestamp(seconds: 2), Timestamp(seconds: .max, nanos: .max),
    ]
    #expect(sorted.reversed().sorted() == sorted)
    for (a, b) in zip(sorted, sorted.dropFirst()) { #expect(a < b && !(b < a) && !(a < a)) }
  }
}
