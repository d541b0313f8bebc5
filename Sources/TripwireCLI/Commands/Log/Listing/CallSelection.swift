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
      let others = methods.others(of: "of")
      throw ErrorReport(
        local: "the recording has no call of a method \(shortened(wanted)), but \(others)")
    }
    if needsRequest, !resources.hasWanted {
      let wanted = options.resources.map { shortened($0) }.joined(separator: " or ")
      let others = resources.others(of: "calls about")
      throw ErrorReport(local: "the recording has no call about \(wanted), but \(others)")
    }
    console.warn("none of \(Units.count(calls, "call")) was selected")
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
