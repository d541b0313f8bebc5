import Tripwire
import WireProtobuf

/// A time as people say it, who mostly leave something out.
enum LogMoment: Equatable {
  /// "2026-11-21T09:30:00Z"
  case instant(Timestamp)
  /// "2026-11-21 09:30", local: the time that would be so called in UTC.
  case local(Timestamp)
  /// "09:30", local: of the day on which the recording begins, counted from midnight.
  case timeOfDay(Timestamp)
  /// "10m" before now.
  case ago(Duration)

  /// RFC 3339, of which the zone, the seconds, the time or the date may be missing; or a duration.
  init?(_ text: String) {
    if let ago = try? Parse.duration(text) {
      self = .ago(ago)
      return
    }
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "T" || $0 == "t" || $0 == " "
    }
    let date = parts.count == 2 || text.contains("-") ? String(parts[0]) : nil
    let rest = date == nil ? text : parts.count == 2 ? String(parts[1]) : "00:00"
    var zone = String(rest.drop { !"Zz+-".contains($0) })
    var time = String(rest.dropLast(zone.count))
    if time.utf8.count == 5 { time += ":00" }
    let isLocal = zone.isEmpty
    if isLocal { zone = "Z" }
    let json = "\"\(date ?? "1970-01-01")T\(time)\(zone.uppercased())\""
    guard text.utf8.count < 64, let moment = try? Timestamp(jsonString: json) else { return nil }
    if date == nil {
      guard isLocal else { return nil }
      self = .timeOfDay(moment)
    } else {
      self = isLocal ? .local(moment) : .instant(moment)
    }
  }

  /// - Parameter start: when the recording begins.
  func time(_ clock: WallClock, ofRecordingFrom start: Timestamp) -> Timestamp {
    var time = Timestamp()
    switch self {
    case .instant(let instant):
      return instant
    case .ago(let duration):
      time.seconds = clock.now - duration.components.seconds
    case .local(let local):
      time = local
      time.seconds = clock.utc(ofLocal: local.seconds)
    case .timeOfDay(let ofDay):
      let local = start.seconds.addingReportingOverflow(Int64(clock.offset(start.seconds)))
        .partialValue
      let day = local.subtractingReportingOverflow((local % 86_400 + 86_400) % 86_400).partialValue
      time = ofDay
      time.seconds = clock.utc(ofLocal: day.addingReportingOverflow(ofDay.seconds).partialValue)
    }
    return time
  }
}

extension WallClock {
  /// Of a time that the clock shows twice, one; of one that it skips, one near it.
  fileprivate func utc(ofLocal seconds: Int64) -> Int64 {
    let guess = seconds.subtractingReportingOverflow(Int64(offset(seconds))).partialValue
    return seconds.subtractingReportingOverflow(Int64(offset(guess))).partialValue
  }
}

extension Parse {
  static func logMoment(_ text: String) throws(BadValue) -> LogMoment {
    guard let moment = LogMoment(text) else {
      throw BadValue("expected a time such as 2026-11-21T09:30:00Z, 09:30, or 10m (10 minutes ago)")
    }
    return moment
  }
}
