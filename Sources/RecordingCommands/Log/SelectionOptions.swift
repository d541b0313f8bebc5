import CommandLine
import CommandShell
import RecordingAnalysis
import Tripwire

extension CallCriteria {
  func interval(_ clock: WallClock) -> LogInterval {
    LogInterval(
      since: since, until: until, LocalTime(now: clock.now, offset: clock.offset))
  }

  static let options: [Option<CallCriteria>] = [
    .flag(
      "errors", .selection, "select calls that failed or did not finish",
      store: { $0.isErrors = true }),
    .value(
      "status", "CODES", .selection,
      "select calls with these statuses (repeatable)\nNames, such as NOT_FOUND, or numbers, separated by"
        + " commas.",
      parse: Parse.statusCodes, store: { $0.statuses.formUnion($1) }),
    .value(
      "method", "NAME", .selection,
      "select calls of a method\nGetTrip, TripService/GetTrip or the full name.",
      parse: Parse.text, store: { $0.method = $1 }),
    .value(
      "resource", "NAME", .selection,
      "select calls for a resource (repeatable)\nNAME is the full name or the ID of a trip, a vehicle or a"
        + " delivery. For a call that lists or creates several resources, NAME is the provider.",
      parse: Parse.text, store: { $0.resources.append($1) }),
    .value(
      "since", "TIME", .selection,
      "select calls that began at TIME or later\nTIME is 2026-11-21T09:30:00Z, or the same without"
        + " Z for local time. 09:30 and 09:30:15 are on the first day of the recording. 10m is ten minutes"
        + " ago.",
      parse: Parse.logMoment, store: { $0.since = $1 }),
    .value(
      "until", "TIME", .selection, "select calls that began before TIME",
      parse: Parse.logMoment, store: { $0.until = $1 }),
    .value(
      "slow", "DURATION", .selection, "select calls that took DURATION or longer\nSuch as 500ms.",
      parse: Parse.duration, store: { $0.slow = $1 }),
  ]
}

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
  fileprivate static func logMoment(_ text: String) throws(InvalidValue) -> LogMoment {
    guard let moment = LogMoment(text) else {
      throw InvalidValue(
        "expected a time such as 2026-11-21T09:30:00Z, 09:30, or 10m (10 minutes ago)")
    }
    return moment
  }

  fileprivate static func statusCodes(_ text: String) throws(InvalidValue) -> [StatusCode] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map {
      code throws(InvalidValue) in
      try statusCode(String(code))
    }
  }

  /// Parses the name, in upper or lower case, or the number of a status.
  private static func statusCode(_ text: String) throws(InvalidValue) -> StatusCode {
    if let number = UInt16(text) { return StatusCode(rawValue: Int(number)) }
    return try Choice(
      (0...16).map { code in
        (StatusCode(rawValue: code).description, StatusCode(rawValue: code))
      }
    ).value(text)
  }
}

extension CallSelection {
  /// Warns that no call is selected.
  ///
  /// - Parameter output: see ``LogView/output``.
  /// - Throws: a report if a method or a resource is not in the recording, or if the output would be a
  ///   file.
  func warnOfNone(
    among calls: Int, for output: String? = nil, _ console: Console
  ) throws(ErrorReport) {
    switch mismatch {
    case .method(let wanted, let seen):
      let others = nameList(seen, of: "calls")
      throw ErrorReport(
        local: "--method \(shortened(wanted)): not in the recording, which contains \(others)",
        hint: seen.isEmpty
          ? "pass a recording with calls" : "pass a method of the recording with --method")
    case .resources(let names, let seen, let hasTruncatedCall):
      let wanted = names.map { shortened($0) }.joined(separator: " or ")
      if seen.isEmpty, hasTruncatedCall { throw .truncatedMessages("--resource \(wanted)") }
      let others = nameList(seen, of: "resource names")
      throw ErrorReport(
        local: "--resource \(wanted): not in the recording, which contains \(others)",
        hint: seen.isEmpty
          ? "pass a recording with calls of Fleet Engine"
          : "pass a resource of the recording with --resource")
    case nil: break
    }
    let reason = "no call matches the selection (\(Units.count(calls, "call")) read)"
    if let output {
      throw ErrorReport(local: "\(output): \(reason)", hint: "select other calls")
    }
    console.warn(reason)
  }
}

/// Returns "a, b", or "no trips" without names.
func nameList(_ names: [String], of kind: String) -> String {
  names.isEmpty ? "no \(kind)" : names.map { shortened($0) }.joined(separator: ", ")
}
