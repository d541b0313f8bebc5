import CommandLine
import RecordingAnalysis
import Tripwire
import WireProtobuf

extension LogMoment {
  /// Reads RFC 3339, in which the zone, the seconds, the time or the date may be missing, or a duration.
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
}

extension Parse {
  static func logMoment(_ text: String) throws(InvalidValue) -> LogMoment {
    guard let moment = LogMoment(text) else {
      throw InvalidValue(
        "expected a time such as 2026-11-21T09:30:00Z, 09:30, or 10m (10 minutes ago)")
    }
    return moment
  }
}
