import Recording
import Tripwire
import WireProtobuf

/// Which calls of a log are wanted.
final class CallSelection {
  private let options: SelectionOptions
  private let interval: LogInterval
  private var methods = NamesMet()
  private var resources = NamesMet()

  init(_ options: SelectionOptions, _ clock: WallClock) {
    self.options = options
    interval = options.interval(clock)
  }

  /// Whether it depends on how a call ends.
  var needsEnd: Bool { options.isErrors || !options.statuses.isEmpty || options.slow != nil }

  /// Whether it depends on what is asked for.
  var needsRequest: Bool { !options.resources.isEmpty }

  func includes(_ call: CallRow) -> Bool {
    guard mayInclude(call), !needsRequest || call.name != nil else { return false }
    if options.isErrors, call.status == .ended(.ok) { return false }
    if !options.statuses.isEmpty {
      switch call.status {
      case .unfinished: return false
      case .cancelled: guard options.statuses.contains(.cancelled) else { return false }
      case .ended(let code): guard options.statuses.contains(code) else { return false }
      }
    }
    guard let slow = options.slow else { return true }
    return call.latency.map { $0 >= slow } ?? false
  }

  /// Whether it includes a call whatever more is told of it.
  func mayInclude(_ call: CallRow) -> Bool {
    interval.note(call.start)
    if let wanted = options.method {
      guard let method = call.method else { return false }
      let isWanted = Self.isNamed(method, wanted)
      methods.meet(String(method.dropFirst()), isWanted: isWanted)
      guard isWanted else { return false }
    }
    if needsRequest, let name = call.name {
      let isWanted = options.resources.contains { name == $0 || name.hasSuffix("/" + $0) }
      resources.meet(name, isWanted: isWanted)
      guard isWanted else { return false }
    }
    return interval.contains(call.start)
  }

  /// What is said where none is included.
  ///
  /// - Throws: a report where a name that was asked for is none of the recording's.
  func warnOfNone(among calls: Int, _ console: Console) throws(ErrorReport) {
    if let wanted = options.method, !methods.hasWanted {
      let others = methods.others(of: "calls")
      throw ErrorReport(
        local: "--method \(shortened(wanted)): not in the recording, which contains \(others)")
    }
    if needsRequest, !resources.hasWanted {
      let wanted = options.resources.map { shortened($0) }.joined(separator: " or ")
      let others = resources.others(of: "resource names")
      throw ErrorReport(
        local: "--resource \(wanted): not in the recording, which contains \(others)")
    }
    console.warn("no call matches the selection (\(Units.count(calls, "call")) read)")
  }

  /// Whether "/package.Service/Method" ends with what was asked for.
  private static func isNamed(_ path: String, _ wanted: String) -> Bool {
    let path = path.utf8.dropFirst()
    let wanted = wanted.utf8.drop { $0 == UInt8(ascii: "/") }
    guard path.count >= wanted.count, path.suffix(wanted.count).elementsEqual(wanted) else {
      return false
    }
    let before = path.dropLast(wanted.count).last
    return before == nil || before == UInt8(ascii: "/") || before == UInt8(ascii: ".")
  }
}

/// What was said of the calls that are wanted.
struct SelectionOptions: Sendable {
  var isErrors = false
  var statuses: Set<StatusCode> = []
  var method: String?
  /// Whole names, or IDs.
  var resources: [String] = []
  var since: LogMoment?
  var until: LogMoment?
  var slow: Duration?

  /// Whether there is any.
  var isGiven: Bool {
    choosesCalls || since != nil || until != nil
  }

  /// Whether there is any but the times.
  var choosesCalls: Bool {
    isErrors || !statuses.isEmpty || method != nil || !resources.isEmpty || slow != nil
  }

  func interval(_ clock: WallClock) -> LogInterval {
    LogInterval(since: since, until: until, clock)
  }

  static let all: [Option<SelectionOptions>] = [
    .flag(
      "errors", .selection, "select calls that failed or have no end",
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
      "select calls for a trip or vehicle (repeatable)\nNAME is the full name or the ID.",
      parse: Parse.text, store: { $0.resources.append($1) }),
    .value(
      "since", "TIME", .selection,
      "select calls that began at TIME or later\n2026-11-21T09:30:00Z, or local time without Z; 09:30 or"
        + " 09:30:15 on the first day of the recording; 10m for 10 minutes ago.",
      parse: Parse.logMoment, store: { $0.since = $1 }),
    .value(
      "until", "TIME", .selection, "select calls that began before TIME",
      parse: Parse.logMoment, store: { $0.until = $1 }),
    .value(
      "slow", "DURATION", .selection, "select calls that took DURATION (500ms) or longer",
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
