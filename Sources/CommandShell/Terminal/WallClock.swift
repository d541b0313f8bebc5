import WireSystem

/// The time of day and the time zone for text; tests pass their own.
package struct WallClock: Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package var now: Int64
  /// The milliseconds after `now`.
  package var milliseconds: Int32 = 0
  /// The offset from UTC to local time at a moment, in seconds.
  package var offset: @Sendable (Int64) -> Int

  /// Returns the time of this machine, in its zone or that of the variable TZ.
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

  /// "2026-08-05T12:33:00.070Z", of a fixed length, so that lines sort by it.
  package var utc: String {
    let second = (now % 86_400 + 86_400) % 86_400
    return Self.date((now - second) / 86_400) + "T" + Self.time(second) + "."
      + padded(Int64(milliseconds), to: 3) + "Z"
  }

  /// Returns "2026-08-05 14:33:00.070", in local time.
  package func stamp(_ seconds: Int64, nanos: Int32) -> String {
    let (day, second) = local(seconds)
    let milliseconds = Int64(max(0, min(nanos, 999_999_999))) / 1_000_000
    return Self.date(day) + " " + Self.time(second) + "." + padded(milliseconds, to: 3)
  }

  /// "14:33:00", local.
  package var timeOfDay: String { Self.time(local(now).second) }

  /// "UTC" or "+02:00", now.
  package var zone: String { zone(at: now) }

  /// Returns "UTC" or "+02:00", at a given time.
  package func zone(at seconds: Int64) -> String { Self.zone(offset(seconds)) }

  /// Returns "14:33:00 (in 3 min)", with the date if it is not today: "2026-08-05 14:33:00 (3 h ago)".
  ///
  /// - Parameter withZone: adds the zone: "14:33:00 +02:00 (in 3 min)". A zone that differs from the
  ///   present one is always added.
  package func text(_ seconds: Int64, withZone: Bool = false) -> String {
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

  /// Returns "in 3 min", "18 s ago" or "now".
  package func relative(_ seconds: Int64) -> String {
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

  /// Returns the Gregorian date of a day counted from 1970-01-01. Years begin in March, so that the leap
  /// day is the last day; 400 years always have 146,097 days.
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
  var digits = String(number.magnitude)
  while digits.utf8.count < width { digits = "0" + digits }
  return number < 0 ? "-" + digits : digits
}
