import Testing

@testable import CommandShell

@Suite struct WallClockTests {
  /// 2026-11-21T09:30:00Z in a time zone two hours ahead of UTC.
  private let clock = WallClock(now: 1_795_253_400) { _ in 7_200 }

  @Test(
    arguments: [
      (0, "11:30:00 (now)"),
      (180, "11:33:00 (in 3 min)"),
      (-18, "11:29:42 (18 s ago)"),
      (12 * 3_600 + 1_799, "23:59:59 (in 12 h 29 min)"),
      (12 * 3_600 + 1_800, "2026-11-22 00:00:00 (in 12 h 30 min)"),
      (-11 * 3_600 - 1_801, "2026-11-20 23:59:59 (11 h 30 min ago)"),
    ] as [(Int64, String)])
  func writesLocalAndRelativeTime(difference: Int64, text: String) {
    #expect(clock.text(clock.now + difference) == text)
  }

  @Test func showsMilliseconds() {
    #expect(WallClock(now: 1_795_253_400) { _ in 0 }.utc == "2026-11-21T09:30:00.000Z")
    #expect(
      WallClock(now: -1, milliseconds: 70) { _ in 7_200 }.utc == "1969-12-31T23:59:59.070Z")
    #expect(clock.timeOfDay == "11:30:00")
  }

  @Test(
    arguments: [
      (0, "1970-01-01 00:00:00"), (-1, "1969-12-31 23:59:59"), (951_782_400, "2000-02-29 00:00:00"),
      (4_107_542_400, "2100-03-01 00:00:00"), (253_402_300_799, "9999-12-31 23:59:59"),
      (-62_135_596_800, "0001-01-01 00:00:00"),
    ] as [(Int64, String)])
  func convertsDates(seconds: Int64, text: String) {
    let utc = WallClock(now: 1_795_253_400) { _ in 0 }
    #expect(utc.text(seconds).hasPrefix(text + " ("))
  }

  @Test func offsetDependsOnTheTime() {
    let summer = WallClock(now: 1_000) { $0 < 2_000 ? 0 : 3_600 }
    #expect(summer.text(1_999) == "00:33:19 (in 16 min 39 s)")
    #expect(summer.text(2_000) == "01:33:20 +01:00 (in 16 min 40 s)")
  }

  @Test(arguments: [
    (0, "UTC"), (7_200, "+02:00"), (-12_600, "-03:30"), (20_700, "+05:45"), (-59, "UTC"),
  ])
  func showsTheTimeZone(offset: Int, zone: String) {
    let clock = WallClock(now: 1_795_253_400) { _ in offset }
    #expect(clock.zone == zone)
    #expect(clock.text(clock.now, withZone: true).hasSuffix(" \(zone) (now)"))
    #expect(!clock.text(clock.now).contains(zone))
  }

  @Test(arguments: [Int64.min, .max])
  func extremeTimesDoNotOverflow(seconds: Int64) {
    #expect(!clock.text(seconds).isEmpty)
    #expect(!WallClock(now: -1) { _ in -1 }.text(seconds).isEmpty)
  }
}
