import RecordingAnalysis
import Tripwire

extension CallCriteria {
  func interval(_ clock: WallClock) -> LogInterval {
    LogInterval(
      since: since, until: until, LocalTime(now: clock.now, offset: clock.offset))
  }

  static let options: [Option<CallCriteria>] = [
    .flag(
      "errors", .selection, "calls that did not end with OK, or not at all",
      store: { $0.isErrors = true }),
    .value(
      "status", "CODES", .selection,
      "calls that ended so, by name, NOT_FOUND, or number, with commas between; may be repeated",
      parse: Parse.statusCodes, store: { $0.statuses.formUnion($1) }),
    .value(
      "method", "NAME", .selection, "calls of a method: GetTrip, TripService/GetTrip or all of it",
      parse: Parse.text, store: { $0.method = $1 }),
    .value(
      "resource", "NAME", .selection,
      "calls about a trip or a vehicle, by its whole name or its ID; may be repeated",
      parse: Parse.text, store: { $0.resources.append($1) }),
    .value(
      "since", "TIME", .selection,
      "calls that began then or later: 2026-11-21T09:30:00Z; without the Z local; 09:30 or 09:30:15 on"
        + " the day when the recording begins; 10m for ten minutes ago",
      parse: Parse.logMoment, store: { $0.since = $1 }),
    .value(
      "until", "TIME", .selection, "calls that began before that",
      parse: Parse.logMoment, store: { $0.until = $1 }),
    .value(
      "slow", "DURATION", .selection, "calls that took so long or longer: 500ms",
      parse: Parse.duration, store: { $0.slow = $1 }),
  ]
}

extension Parse {
  fileprivate static func statusCodes(_ text: String) throws(BadValue) -> [StatusCode] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { code throws(BadValue) in
      try statusCode(String(code))
    }
  }

  /// By its name, in any case, or its number.
  private static func statusCode(_ text: String) throws(BadValue) -> StatusCode {
    if let number = UInt16(text) { return StatusCode(rawValue: Int(number)) }
    return try choice(
      (0...16).map { code in
        (StatusCode(rawValue: code).description, StatusCode(rawValue: code))
      })(text)
  }
}

extension CallSelection {
  convenience init(_ criteria: CallCriteria, _ clock: WallClock) {
    self.init(criteria, in: criteria.interval(clock))
  }

  /// What is said where none is included.
  ///
  /// - Throws: a report where a name that was asked for is none of the recording's.
  func warnOfNone(among calls: Int, _ console: Console) throws(ErrorReport) {
    switch mismatch {
    case .method(let wanted, let seen):
      let others = list("of", seen)
      throw ErrorReport(
        local: "the recording has no call of a method \(shortened(wanted)), but \(others)")
    case .resources(let names, let seen):
      let wanted = names.map { shortened($0) }.joined(separator: " or ")
      let others = list("calls about", seen)
      throw ErrorReport(local: "the recording has no call about \(wanted), but \(others)")
    case nil: break
    }
    console.warn("none of \(Units.count(calls, "call")) was selected")
  }
}

/// "calls about a, b", "none" where there is nothing.
func list(_ what: String, _ names: [String]) -> String {
  names.isEmpty
    ? "none at all" : "\(what) " + names.map { shortened($0) }.joined(separator: ", ")
}
