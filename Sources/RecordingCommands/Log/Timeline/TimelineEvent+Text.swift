import CommandLine
import CommandResources
import CommandShell
import RecordingAnalysis
import Tripwire

extension TimelineEvent {
  /// The event for people, safe for a terminal; nil if it is for programs only.
  ///
  /// - Parameters:
  ///   - kind: the kind of the resource.
  ///   - line: the time at the beginning of the line.
  func text(
    of kind: ResourceKind, _ formatter: TripFormatter, _ days: DayHeadings,
    inLineOf line: Timestamp?
  ) -> String? {
    switch self {
    case .changed: return nil
    case .check(let finding): return finding.line(days, inLineOf: line)
    case .beginsMidway:
      return
        "the recording starts in the middle of the \(kind.noun): stops and route are unknown until"
        + " they change"
    case .requested(let stamps):
      let words =
        stamps.isEmpty ? "the whole \(kind.noun)" : "changes since \(stamps.text(days, line))"
      return "requested \(words)"
    case .missingBase, .outdatedResponse, .unreadableResponse:
      return textOfIgnoredResponse(of: kind)
    case .status(let status, _):
      return "status: \(formatter.words(status) ?? "no status")"
    case .navigation(let status, _):
      return "navigation: \(formatter.words(status) ?? "no status")"
    case .outcome(let outcome, _, let time):
      return "outcome: \(formatter.words(outcome) ?? "none")"
        + (time.map { " at \(days.time($0, inLineOf: line))" } ?? "")
    case .vehicle(let id): return id.isEmpty ? "no vehicle" : "vehicle: \(shortened(id))"
    case .trips(let ids): return ids.isEmpty ? "no trips" : "trips: \(Self.list(ids))"
    case .window(let window): return Self.text(window, days, line)
    case .stops(let count, let stops):
      return Self.text(count, next: stops.first, formatter)
    case .eta(let change):
      let clock = change.eta.map { days.time($0, inLineOf: line) } ?? TextTable.unset
      let shift = change.delay.map { delay in
        ", \(Units.duration(seconds: delay.magnitude)) \(delay < 0 ? "earlier" : "later")"
      }
      let isOfTask = kind == .task || kind == .taskTrackingInfo
      return "ETA\(isOfTask ? "" : " at next stop"): \(clock)\(shift ?? "")"
    case .route(let path, _): return Self.text(path, formatter)
    case .gap(let gap, let latency):
      let slow = latency.flatMap { $0 * 2 > gap.length ? $0 : nil }
      return gap.text + (slow.map { "; this response took \(Units.latency($0))" } ?? "")
    case .gaps(let count, let total, let longest, let now, let method):
      return
        "\(count) gaps \(method.map { "between \($0) calls " } ?? "")in a row: total \(Units.latency(total)), longest \(Units.latency(longest))"
        + (now.map { "; the interval is now \(Units.latency($0))" } ?? "")
    case .failed(let code, let message, let isLocal):
      return "error: \(Self.text(code, message, isLocal))"
    case .recovered(let duration, let errors):
      let words = duration.map { " after \(Units.latency($0)) without a successful response" } ?? ""
      return "recovered\(words), \(Units.count(errors, "error"))"
    case .failingAtEnd(let duration, let errors):
      let time = duration > .zero ? ", no successful response for \(Units.latency(duration))" : ""
      return "still failing at the end: \(Units.count(errors, "error"))\(time)"
    case .locationStale(let age, let last):
      let time = last?.updateTime
      let reason =
        last == nil
        ? "responses have no location"
        : "responses repeat "
          + (time.map { "the location of \(days.time($0, inLineOf: line))" } ?? "an old location")
      return "no new vehicle location for \(Units.latency(age)): \(reason)"
    case .locationResumed(let age): return "new vehicle location after \(Units.latency(age))"
    case .locationStaleAtEnd(let age):
      return "no new vehicle location for \(Units.latency(age)) at the end"
    case .otherCall(let method, let code, let message, let isLocal):
      return "\(method): \(Self.text(code, message, isLocal))"
    case .canceled(let method): return "\(method) canceled by the client"
    case .unfinished(let method): return "\(method) has no end in the recording"
    }
  }

  /// Nil for other events.
  func textOfIgnoredResponse(of kind: ResourceKind) -> String? {
    switch self {
    case .missingBase:
      "incomplete response, not used: no earlier response contains the parts that it leaves out"
    case .outdatedResponse: "response ignored: it is older than the known \(kind.noun)"
    case .unreadableResponse: "response ignored: it is incomplete or not a \(kind.noun)"
    default: nil
    }
  }

  private static func text(_ code: StatusCode, _ message: String, _ isLocal: Bool) -> String {
    code.words(isLocal: isLocal) + (message.isEmpty ? "" : ": " + shortened(message, to: 200))
  }

  /// The first IDs.
  private static func list(_ ids: [String]) -> String {
    ids.prefix(3).map { shortened($0) }.joined(separator: ", ")
      + (ids.count > 3 ? ", and \(ids.count - 3) more" : "")
  }

  private static func text(
    _ count: Int?, next stop: ResourceFacts.Stop?, _ formatter: TripFormatter
  ) -> String {
    let next = stop.flatMap { stop -> String? in
      guard let state = stop.state else { return formatter.words(stop.identity.type) }
      let (ids, words) = (stop.identity.taskIDs, formatter.words(state))
      guard !ids.isEmpty else { return words }
      return "\(ids.count > 1 ? "tasks" : "task") \(list(ids))" + (words.map { " (\($0))" } ?? "")
    }
    let number = count.map { Units.count($0, "stop") } ?? "unknown number of stops"
    return "\(number) left" + (next.map { ", next: \($0)" } ?? "")
  }

  private static func text(
    _ window: TimeWindow?, _ days: DayHeadings, _ line: Timestamp?
  ) -> String {
    let times = [
      window?.startTime.map { "from \(days.time($0, inLineOf: line))" },
      window?.endTime.map { "to \(days.time($0, inLineOf: line))" },
    ].compactMap(\.self)
    return times.isEmpty ? "no time window" : "time window: \(times.joined(separator: " "))"
  }

  private static func text(_ path: RoutePath, _ formatter: TripFormatter) -> String {
    guard !path.isEmpty else { return "no route" }
    do {
      return "route: \(formatter.route(try path.points()) ?? TextTable.unset)"
    } catch {
      return "invalid route: \(escaped("\(error)"))"
    }
  }
}

extension [VersionStamp] {
  /// "09:30:15", or "09:30:15 (route, traffic), 09:30:20 (stops)".
  fileprivate func text(_ days: DayHeadings, _ line: Timestamp?) -> String {
    var groups: [(time: Timestamp, parts: [String])] = []
    for stamp in self {
      if let index = groups.firstIndex(where: { $0.time == stamp.time }) {
        groups[index].parts.append(stamp.part.rawValue)
      } else {
        groups.append((stamp.time, [stamp.part.rawValue]))
      }
    }
    return groups.map { group in
      let clock = days.time(group.time, inLineOf: line)
      return group.parts.count == VersionStamp.Part.allCases.count
        ? clock : "\(clock) (\(group.parts.joined(separator: ", ")))"
    }.joined(separator: ", ")
  }
}
