import WireSystem

/// The time of day and the time zone that text for people is written in; passed in by tests.
struct WallClock: Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  var now: Int64
  /// What has passed of the next second, in whole milliseconds.
  var milliseconds: Int32 = 0
  /// Seconds to add to UTC at that moment to get local time.
  var offset: @Sendable (Int64) -> Int

  /// This machine's clock, and its zone or that of the variable TZ.
  static func system() -> WallClock {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    tzset()
    let milliseconds = Int32(now.tv_nsec / 1_000_000)
    return WallClock(now: Int64(now.tv_sec), milliseconds: milliseconds) { seconds in
      var time = time_t(seconds)
      var fields = tm()
      return localtime_r(&time, &fields) == nil ? 0 : Int(fields.tm_gmtoff)
    }
  }

  /// "2026-08-05T12:33:00.070Z", always as long, so that lines sort by it.
  var utc: String {
    let second = (now % 86_400 + 86_400) % 86_400
    return Self.date((now - second) / 86_400) + "T" + Self.time(second) + "."
      + padded(Int64(milliseconds), to: 3) + "Z"
  }

  /// "2026-08-05 14:33:00.070", local: when something happened, to read down a column.
  func stamp(_ seconds: Int64, nanos: Int32) -> String {
    let (day, second) = local(seconds)
    let milliseconds = Int64(max(0, min(nanos, 999_999_999))) / 1_000_000
    return Self.date(day) + " " + Self.time(second) + "." + padded(milliseconds, to: 3)
  }

  /// "14:33:00", local.
  var timeOfDay: String { Self.time(local(now).second) }

  /// "UTC" or "+02:00", as it is now.
  var zone: String { zone(at: now) }

  /// "UTC" or "+02:00", as it is at a time.
  func zone(at seconds: Int64) -> String { Self.zone(offset(seconds)) }

  /// "14:33:00 (in 3 min)", with the date when it is not today's: "2026-08-05 14:33:00 (3 h ago)".
  ///
  /// - Parameter withZone: "14:33:00 +02:00 (in 3 min)"; always where it is another than now.
  func text(_ seconds: Int64, withZone: Bool = false) -> String {
    let (day, second) = local(seconds)
    let date = day == local(now).day ? "" : Self.date(day) + " "
    let zone = zone(at: seconds)
    return date + Self.time(second) + (withZone || zone != self.zone ? " " + zone : "") + " ("
      + relative(seconds) + ")"
  }

  private static func zone(_ offset: Int) -> String {
    let minutes = Int64(offset.magnitude / 60)
    if minutes == 0 { return "UTC" }
    return (offset < 0 ? "-" : "+") + "\(padded(minutes / 60)):\(padded(minutes % 60))"
  }

  private static func time(_ second: Int64) -> String {
    "\(padded(second / 3_600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
  }

  /// "in 3 min", "18 s ago", "now".
  func relative(_ seconds: Int64) -> String {
    let (difference, overflow) = seconds.subtractingReportingOverflow(now)
    if overflow { return seconds < now ? "long ago" : "far ahead" }
    if difference == 0 { return "now" }
    let amount = Units.duration(seconds: difference.magnitude)
    return difference > 0 ? "in \(amount)" : "\(amount) ago"
  }

  private func local(_ seconds: Int64) -> (day: Int64, second: Int64) {
    let local = seconds.addingReportingOverflow(Int64(offset(seconds))).partialValue
    let second = local % 86_400
    return second < 0 ? (local / 86_400 - 1, second + 86_400) : (local / 86_400, second)
  }

  /// The Gregorian date of a day counted from 1970-01-01. Years are counted from March, so that
  /// the leap day is the last; 400 of them are 146,097 days, always.
  private static func date(_ day: Int64) -> String {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(padded(year, to: 4))-\(padded(month))-\(padded(dayOfMonth))"
  }
}

private func padded(_ number: Int64, to width: Int = 2) -> String {
  let digits = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.utf8.count))
  return (number < 0 ? "-" : "") + zeros + digits
}
