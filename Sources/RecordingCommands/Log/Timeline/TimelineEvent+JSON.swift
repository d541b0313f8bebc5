import CommandShell
import RecordingAnalysis
import Tripwire
import WireProtobuf

extension TimelineEvent {
  /// Adds the kind of the event as "event", and its values.
  func addMembers(to object: inout JSONObject) {
    object.add("event", "\"\(kind)\"")
    switch self {
    case .requested(let stamps):
      var since = JSONObject()
      for stamp in stamps { since.add(stamp.field, stamp.time.jsonText) }
      object.add("since", since.text)
    case .changed(let fields):
      object.add("changed", Self.array(fields.map { "\"\($0)\"" }))
    case .status(let status, let previous): Self.add(status, previous, as: "status", to: &object)
    case .navigation(let status, let previous):
      Self.add(status, previous, as: "navigationStatus", to: &object)
    case .outcome(let outcome, let previous, let time):
      Self.add(outcome, previous, as: "taskOutcome", to: &object)
      object.add("taskOutcomeTime", time?.jsonText)
    case .vehicle(let id): object.add("vehicleId", quoted(id))
    case .trips(let ids): object.add("currentTrips", Self.array(ids.map(quoted)))
    case .window(let window):
      object.add("startTime", window?.startTime?.jsonText)
      object.add("endTime", window?.endTime?.jsonText)
    case .stops(let stops): Self.add(stops, to: &object)
    case .eta(let change):
      object.add("eta", change.eta?.jsonText ?? "null")
      object.add("before", change.previous?.jsonText)
      object.add(
        "waypointType", change.waypointType.map { $0.name.map(quoted) ?? String($0.rawValue) })
      object.add("distanceMeters", change.remainingMeters.map { String($0) })
    case .route(let path, let version): Self.add(path, version, to: &object)
    case .gap(let interval, let usual, let latency):
      object.add("seconds", interval.jsonSeconds)
      object.add("usual", usual.jsonSeconds)
      object.add("latency", latency?.jsonSeconds)
    case .gaps(let count, let total, let longest, _):
      object.add("gaps", String(count))
      object.add("seconds", total.jsonSeconds)
      object.add("longest", longest.jsonSeconds)
    case .failed(let code, let message, let isLocal):
      object.add("code", quoted(code.description))
      object.add("message", quoted(message))
      if isLocal { object.add("local", "true") }
    case .recovered(let duration, let errors):
      object.add("seconds", duration?.jsonSeconds)
      object.add("errors", String(errors))
    case .failingAtEnd(let duration, let errors):
      object.add("seconds", duration.jsonSeconds)
      object.add("errors", String(errors))
    case .locationStale(let age, let last):
      object.add("seconds", age.jsonSeconds)
      object.add("location", last == nil ? "\"missing\"" : "\"old\"")
      object.add("updateTime", last?.updateTime?.jsonText)
    case .locationResumed(let age), .locationStaleAtEnd(let age):
      object.add("seconds", age.jsonSeconds)
    case .otherCall(let method, let code, _, let isLocal):
      object.add("method", quoted(method))
      object.add("code", quoted(code.description))
      if isLocal { object.add("local", "true") }
    case .check(let finding): finding.addMembers(to: &object)
    case .beginsMidway, .missingBase, .outdatedResponse, .unreadableResponse, .canceled,
      .unfinished:
      break
    }
  }

  private var kind: String {
    switch self {
    case .beginsMidway: "midway"
    case .requested: "asked"
    case .missingBase: "partial"
    case .outdatedResponse: "outdated"
    case .unreadableResponse: "unreadable"
    case .changed: "changed"
    case .status: "status"
    case .navigation: "navigation"
    case .outcome: "outcome"
    case .vehicle: "vehicle"
    case .trips: "trips"
    case .window: "window"
    case .stops: "stops"
    case .eta: "eta"
    case .route: "route"
    case .gap: "gap"
    case .gaps: "gaps"
    case .failed: "error"
    case .recovered: "recovered"
    case .failingAtEnd: "failing"
    case .locationStale, .locationStaleAtEnd: "silent"
    case .locationResumed: "location"
    case .otherCall: "call"
    case .canceled: "cancelled"
    case .unfinished: "unfinished"
    case .check: "check"
    }
  }

  private static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  private static func add(
    _ value: NamedValue, _ previous: NamedValue?, as name: String, to object: inout JSONObject
  ) {
    object.add(name, value.jsonText)
    object.add("before", previous?.jsonText)
  }

  private static func add(_ stops: RemainingStops, to object: inout JSONObject) {
    object.add("stops", stops.count.map { String($0) } ?? "null")
    switch stops {
    case .waypoints(let stops):
      object.add(
        "waypointTypes", array(stops.map { $0.type.name.map(quoted) ?? String($0.type.rawValue) }))
    case .segments(let stops):
      object.add(
        "stopStates", array(stops.map { $0.state.name.map(quoted) ?? String($0.state.rawValue) }))
      if stops.contains(where: { !$0.identity.taskIDs.isEmpty }) {
        object.add("taskIds", array(stops.map { array($0.identity.taskIDs.map(quoted)) }))
      }
    case .count: break
    }
  }

  private static func add(_ path: RoutePath, _ version: Timestamp?, to object: inout JSONObject) {
    guard let points = try? path.points() else { return }
    object.add("points", String(points.count))
    object.add("distanceMeters", length(of: points).map { Units.fixed($0, decimals: 0) })
    if !path.isEmpty { object.add("version", version?.jsonText) }
  }
}

extension NamedValue {
  fileprivate var jsonText: String { name.map(quoted) ?? String(number) }
}

extension Timestamp {
  /// Nil for a time that JSON cannot express.
  var jsonText: String? { try? jsonString() }
}

extension Duration {
  /// With milliseconds.
  var jsonSeconds: String { Units.trimmed(Units.fixed(self / .seconds(1), decimals: 3)) }
}
