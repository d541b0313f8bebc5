import RecordingAnalysis
import Tripwire
import WireProtobuf

extension TripEvent {
  /// For people, safe for a terminal.
  ///
  /// - Parameter line: the time at the beginning of the line.
  func text(_ formatter: TripFormatter, _ days: DayHeadings, inLineOf line: Timestamp?) -> String {
    switch self {
    case .beginsMidway:
      return "the recording begins midway: stops and route are not known until they change"
    case .requested(let stamps):
      let words = stamps.isEmpty ? "the whole trip" : "changes since \(stamps.text(days, line))"
      return "asked for \(words)"
    case .missingBase: return "an increment came without its base: a whole answer is needed"
    case .outdatedResponse: return "the answer is older than what is known: not taken"
    case .unreadableResponse: return "an answer that is not whole, or no trip"
    case .status(let status, _):
      return "status: \(formatter.words(status.name, status.rawValue) ?? "no status")"
    case .vehicle(let id): return id.isEmpty ? "no vehicle" : "vehicle: \(shortened(id))"
    case .stops(let stops):
      let next = stops.first.flatMap {
        formatter.words($0.waypointType.name, $0.waypointType.rawValue)
      }
      return "\(Units.count(stops.count, "stop")) left" + (next.map { ", next: \($0)" } ?? "")
    case .eta(let change):
      let clock = change.eta.map { days.time($0, inLineOf: line) } ?? TextTable.unset
      let shift = change.delay.map { delay in
        ", \(Units.duration(seconds: delay.magnitude)) \(delay < 0 ? "earlier" : "later")"
      }
      return "ETA at next stop: \(clock)\(shift ?? "")"
    case .route(let path, _): return Self.text(path, formatter)
    case .gap(let interval, let usual, let latency):
      let slow = latency.flatMap { $0 * 2 > interval ? $0 : nil }
      return "no answer for \(Units.latency(interval)), usually every \(Units.latency(usual))"
        + (slow.map { "; this one took \(Units.latency($0))" } ?? "")
    case .gaps(let count, let total, let longest, let now):
      return
        "in all \(count) such gaps in \(Units.latency(total)), of up to \(Units.latency(longest))"
        + (now.map { "; now \(Units.latency($0))" } ?? "")
    case .failed(let code, let message, let isLocal):
      return "error: \(Self.text(code, message, isLocal))"
    case .recovered(let duration, let errors):
      let words = duration.map { " after \(Units.latency($0)) without an answer" } ?? ""
      return "recovered\(words), \(Units.count(errors, "error"))"
    case .failingAtEnd(let duration, let errors):
      let time = duration > .zero ? ", no answer for \(Units.latency(duration))" : ""
      return "still failing at the end: \(Units.count(errors, "error"))\(time)"
    case .locationStale(let age, let last):
      let time = last?.updateTime
      let reason =
        last == nil
        ? "the answers have no location"
        : "the answers have an old location"
          + (time.map { ", of \(days.time($0, inLineOf: line))" } ?? "")
      return "vehicle not heard of for \(Units.latency(age)): \(reason)"
    case .locationResumed(let age): return "vehicle heard of again after \(Units.latency(age))"
    case .locationStaleAtEnd(let age):
      return "vehicle not heard of at the end for \(Units.latency(age))"
    case .otherCall(let method, let code, let message, let isLocal):
      return "\(method): \(Self.text(code, message, isLocal))"
    case .cancelled(let method): return "\(method) cancelled by the client"
    case .unfinished(let method): return "\(method) has no end in the recording"
    }
  }

  private static func text(_ code: StatusCode, _ message: String, _ isLocal: Bool) -> String {
    code.words(isLocal: isLocal) + (message.isEmpty ? "" : ": " + shortened(message, to: 200))
  }

  private static func text(_ path: RoutePath, _ formatter: TripFormatter) -> String {
    guard !path.isEmpty else { return "no route" }
    do {
      return "route: \(formatter.route(try path.points()) ?? TextTable.unset)"
    } catch {
      return "route that cannot be read: \(escaped("\(error)"))"
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
