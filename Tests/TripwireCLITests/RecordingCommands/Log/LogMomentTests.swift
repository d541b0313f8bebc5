import Testing

@testable import RecordingAnalysis
@testable import RecordingCommands
@testable import Tripwire

@Suite struct LogMomentTests {
  /// Two hours ahead of UTC, one before 2026-11-21.
  private static let zone = LocalTime(now: 1_795_300_000) { $0 < 1_795_219_200 ? 3_600 : 7_200 }

  /// The time in UTC, for a recording that begins on 2026-11-21 at 23:30 UTC. In the zone of the
  /// test that is the next day.
  private static func utc(_ text: String) throws -> String? {
    let start = try Timestamp(jsonString: "\"2026-11-21T23:30:00Z\"")
    return try LogMoment(text)?.time(zone, ofRecordingFrom: start).jsonString()
  }

  @Test(arguments: [
    ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"),
    ("2026-11-21t09:30:15.5z", "2026-11-21T09:30:15.500Z"),
    ("2026-11-21T09:30+05:30", "2026-11-21T04:00:00Z"),
    ("2026-11-21T09:30:00-02:00", "2026-11-21T11:30:00Z"),
    ("2026-11-21 09:30", "2026-11-21T07:30:00Z"), ("2026-11-21", "2026-11-20T23:00:00Z"),
    ("2026-11-22", "2026-11-21T22:00:00Z"), ("09:30", "2026-11-22T07:30:00Z"),
    ("00:00:01", "2026-11-21T22:00:01Z"), ("23:59:59.25", "2026-11-22T21:59:59.250Z"),
    ("10m", "2026-11-21T22:16:40Z"),
  ])
  func parsesCommonForms(text: String, time: String) throws {
    #expect(try Self.utc(text) == "\"\(time)\"")
  }

  @Test(arguments: [Int64.min, .max]) func extremeStartTimesDoNotOverflow(start: Int64) {
    for moment in [LogMoment.timeOfDay(Timestamp()), .local(Timestamp(seconds: start))] {
      _ = moment.time(Self.zone, ofRecordingFrom: Timestamp(seconds: start))
    }
  }

  @Test(arguments: [
    "", "9", "9:30", "24:00", "09:30Z", "09:30:00+02:00", "now", "2026-13-01", "2026-11-21T",
    "2026-11-21T09", "T09:30", "-10m", "0s", "\"", "2026-11-21T09:30:00ZZ",
    "2026-11-21T09:30:00." + String(repeating: "0", count: 100) + "Z",
  ])
  func rejectsOtherForms(text: String) {
    #expect(LogMoment(text) == nil)
  }
}
