import CommandShell
import RecordingAnalysis
import Tripwire

extension TimelineEvent {
  /// Adds the kind of the event as "event", and its values.
  func addMembers(to json: inout JSONWriter) {
    json.member("event", kind)
    switch self {
    case .requested(let stamps):
      json.object("since") { json in
        for stamp in stamps { json.member(stamp.field, json: stamp.time.jsonText) }
      }
    case .changed(let fields):
      json.member("changed", fields)
    case .status(let status, let previous): Self.add(status, previous, as: "status", to: &json)
    case .navigation(let status, let previous):
      Self.add(status, previous, as: "navigationStatus", to: &json)
    case .outcome(let outcome, let previous, let time):
      Self.add(outcome, previous, as: "taskOutcome", to: &json)
      json.member("taskOutcomeTime", json: time?.jsonText)
    case .vehicle(let id): json.member("vehicleId", id)
    case .trips(let ids): json.member("currentTrips", ids)
    case .window(let window):
      json.member("startTime", json: window?.startTime?.jsonText)
      json.member("endTime", json: window?.endTime?.jsonText)
    case .stops(let count, let stops): Self.add(count, stops, to: &json)
    case .eta(let change):
      json.member("eta", json: change.eta?.jsonText ?? "null")
      json.member("before", json: change.previous?.jsonText)
      if let type = change.waypointType {
        json.member("waypointType", type.name, or: type.rawValue)
      }
      json.member("distanceMeters", change.remainingMeters)
    case .route(let path, let version): Self.add(path, version, to: &json)
    case .gap(let gap, let latency):
      json.member("seconds", json: gap.length.jsonSeconds)
      json.member("usual", json: gap.usual.jsonSeconds)
      json.member("method", gap.method)
      json.member("latency", json: latency?.jsonSeconds)
    case .gaps(let count, let total, let longest, _, let method):
      json.member("gaps", count)
      json.member("seconds", json: total.jsonSeconds)
      json.member("longest", json: longest.jsonSeconds)
      json.member("method", method)
    case .failed(let code, let message, let isLocal):
      json.member("code", code.description)
      json.member("message", message)
      if isLocal { json.member("local", true) }
    case .recovered(let duration, let errors):
      json.member("seconds", json: duration?.jsonSeconds)
      json.member("errors", errors)
    case .failingAtEnd(let duration, let errors):
      json.member("seconds", json: duration.jsonSeconds)
      json.member("errors", errors)
    case .locationStale(let age, let last):
      json.member("seconds", json: age.jsonSeconds)
      json.member("location", last == nil ? "missing" : "old")
      json.member("updateTime", json: last?.updateTime?.jsonText)
    case .locationResumed(let age), .locationStaleAtEnd(let age):
      json.member("seconds", json: age.jsonSeconds)
    case .otherCall(let method, let code, _, let isLocal):
      json.member("method", method)
      json.member("code", code.description)
      if isLocal { json.member("local", true) }
    case .check(let finding): finding.addMembers(to: &json)
    case .beginsMidway, .missingBase, .outdatedResponse, .unreadableResponse, .canceled,
      .unfinished:
      break
    }
  }

  /// When a finding began, or `time` for other events.
  func start(or time: Timestamp?) -> Timestamp? {
    if case .check(let finding) = self { finding.time } else { time }
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

  private static func add(
    _ value: NamedValue, _ previous: NamedValue?, as name: String, to json: inout JSONWriter
  ) {
    json.member(name, value.name, or: value.number)
    if let previous { json.member("before", previous.name, or: previous.number) }
  }

  private static func add(
    _ count: Int?, _ stops: [ResourceFacts.Stop], to json: inout JSONWriter
  ) {
    json.member("stops", json: count.map { String($0) } ?? "null")
    guard let first = stops.first else { return }
    guard first.state != nil else {
      return json.member("waypointTypes", stops.map(\.identity.type)) {
        $0.put(name: $1.name, or: $1.rawValue)
      }
    }
    json.member("stopStates", stops.compactMap(\.state)) { $0.put(name: $1.name, or: $1.rawValue) }
    if stops.contains(where: { !$0.identity.taskIDs.isEmpty }) {
      json.member("taskIds", stops.map(\.identity.taskIDs)) { json, ids in
        json.array(ids) { $0.put(string: $1) }
      }
    }
  }

  private static func add(_ path: RoutePath, _ version: Timestamp?, to json: inout JSONWriter) {
    guard let points = try? path.points() else { return }
    json.member("points", points.count)
    json.member("distanceMeters", json: length(of: points).map { Units.fixed($0, decimals: 0) })
    if !path.isEmpty { json.member("version", json: version?.jsonText) }
  }
}

extension Timestamp {
  /// Nil for a time that JSON cannot express.
  var jsonText: String? { try? jsonString() }
}

extension Duration {
  /// With milliseconds.
  var jsonSeconds: String { Units.trimmed(Units.fixed(self / .seconds(1), decimals: 3)) }
}
