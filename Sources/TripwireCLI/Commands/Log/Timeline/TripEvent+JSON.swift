import RecordingAnalysis
import Tripwire
import WireProtobuf

extension TripEvent {
  /// Adds the kind of the event as "event", and its values.
  func addMembers(to object: inout JSONObject) {
    object.add("event", "\"\(kind)\"")
    switch self {
    case .requested(let stamps):
      var since = JSONObject()
      for stamp in stamps { since.add(stamp.field, stamp.time.jsonText) }
      object.add("since", since.text)
    case .changed(let fields):
      object.add("changed", "[" + fields.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    case .status(let status, let previous):
      object.add("status", status.jsonText)
      object.add("before", previous?.jsonText)
    case .vehicle(let id): object.add("vehicleId", quoted(id))
    case .stops(let stops):
      let types = stops.map(\.waypointType.jsonText).joined(separator: ",")
      object.add("stops", String(stops.count))
      object.add("waypointTypes", "[\(types)]")
    case .eta(let change):
      object.add("eta", change.eta?.jsonText ?? "null")
      object.add("before", change.previous?.jsonText)
      object.add("waypointType", change.stop?.waypointType.jsonText)
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
    case .vehicle: "vehicle"
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

  private static func add(_ path: RoutePath, _ version: Timestamp?, to object: inout JSONObject) {
    guard let points = try? path.points() else { return }
    object.add("points", String(points.count))
    object.add("distanceMeters", Units.fixed(length(of: points), decimals: 0))
    if !path.isEmpty { object.add("version", version?.jsonText) }
  }
}

extension TripStatus {
  fileprivate var jsonText: String { name.map(quoted) ?? String(rawValue) }
}

extension WaypointType {
  fileprivate var jsonText: String { name.map(quoted) ?? String(rawValue) }
}

extension Timestamp {
  /// Nil for a time that JSON cannot express.
  var jsonText: String? { try? jsonString() }
}

extension Duration {
  /// With milliseconds.
  var jsonSeconds: String { Units.trimmed(Units.fixed(self / .seconds(1), decimals: 3)) }
}
