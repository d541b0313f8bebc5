/// The JSON form is an RFC 3339 time in UTC with 0, 3, 6 or 9 decimals: "2026-08-05T06:50:45.402Z".
extension Timestamp: CustomJSONMessage {
  /// The seconds from 0001-01-01T00:00:00Z to the end of the year 9999.
  package static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    guard Self.validSeconds.contains(seconds) else {
      throw JSONEncodingError(
        messageName: Self.messageName,
        reason: "\(seconds) seconds is outside the years 1 to 9999")
    }
    guard (0..<1_000_000_000).contains(nanos) else {
      throw JSONEncodingError(
        messageName: Self.messageName, reason: "\(nanos) nanos is outside 0 to 999999999")
    }
    let day = (seconds + 719_468 * 86_400) / 86_400
    let time = UInt64((seconds + 719_468 * 86_400) % 86_400)
    let date = CivilDate(daysSince0000March1st: day)
    writer.put(UInt8(ascii: "\""))
    writer.put(digits: UInt64(date.year), width: 4)
    writer.put(UInt8(ascii: "-"))
    writer.put(digits: UInt64(date.month), width: 2)
    writer.put(UInt8(ascii: "-"))
    writer.put(digits: UInt64(date.day), width: 2)
    writer.put(UInt8(ascii: "T"))
    writer.put(digits: time / 3600, width: 2)
    writer.put(UInt8(ascii: ":"))
    writer.put(digits: time / 60 % 60, width: 2)
    writer.put(UInt8(ascii: ":"))
    writer.put(digits: time % 60, width: 2)
    writer.put(nanos: UInt64(nanos))
    writer.put("Z\"")
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    self = try reader.string(as: .timestamp, Self.time)
  }

  /// Parses an RFC 3339 time.
  private static func time(_ text: String) -> Timestamp? {
    var text = DecimalScanner(text)
    guard let year = text.digits(4...4), text.take("-"), let month = text.digits(2...2),
      text.take("-"), let day = text.digits(2...2), text.take("T"),
      let hour = text.digits(2...2), text.take(":"), let minute = text.digits(2...2),
      text.take(":"), let second = text.digits(2...2), let nanos = text.nanos(),
      let offset = offset(&text), text.isAtEnd,
      let date = CivilDate(year: year, month: month, day: day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = date.daysSince0000March1st - 719_468
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    return validSeconds.contains(seconds) ? Timestamp(seconds: seconds, nanos: nanos) : nil
  }

  /// Parses `Z` or an offset in hours and minutes; the result is in seconds east of UTC.
  private static func offset(_ text: inout DecimalScanner) -> Int64? {
    if text.take("Z") { return 0 }
    let isWest = text.take("-")
    guard isWest || text.take("+"), let hours = text.digits(2...2), text.take(":"),
      let minutes = text.digits(2...2), hours < 24, minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
}

/// A day of the proleptic Gregorian calendar.
///
/// The calculation starts years in March, so that the leap day is the last day of the year and the
/// month lengths follow one pattern.
struct CivilDate: Equatable {
  var year: Int64
  var month: Int64
  var day: Int64

  init(daysSince0000March1st days: Int64) {
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Nil if there is no such day.
  init?(year: Int64, month: Int64, day: Int64) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...lengths[Int(month) - 1]).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  var daysSince0000March1st: Int64 {
    let year = month <= 2 ? year - 1 : year
    let marchMonth = month <= 2 ? month + 9 : month - 3
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear
  }
}

extension JSONWriter {
  /// Writes nothing for 0, otherwise a point and 3, 6 or 9 decimals.
  mutating func put(nanos: UInt64) {
    guard nanos != 0 else { return }
    put(UInt8(ascii: "."))
    if nanos % 1_000_000 == 0 {
      put(digits: nanos / 1_000_000, width: 3)
    } else if nanos % 1_000 == 0 {
      put(digits: nanos / 1_000, width: 6)
    } else {
      put(digits: nanos, width: 9)
    }
  }
}
