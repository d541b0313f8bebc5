import Tripwire
import WireProtobuf

/// Something that changed in the story of a trip, in words and as members of an object.
struct StoryEvent {
  /// "status", in the object.
  let kind: String
  /// Safe for a terminal.
  let words: String
  var members: [(name: String, json: String)] = []

  init(_ kind: String, _ words: String, _ members: (String, String?)...) {
    self.kind = kind
    self.words = words
    self.members = members.compactMap { name, json in json.map { (name, $0) } }
  }

  /// Another status than before.
  static func status(_ new: TripStatus, after old: TripStatus?, _ say: Phrases) -> StoryEvent {
    let name = say.words(new.name, new.rawValue) ?? "no status"
    return StoryEvent(
      "status", "status: \(name)", ("status", json(new)), ("before", old.map(json)))
  }

  private static func json(_ status: TripStatus) -> String {
    status.name.map(quoted) ?? String(status.rawValue)
  }

  static func type(_ stop: TripWaypoint) -> String {
    stop.waypointType.name.map(quoted) ?? String(stop.waypointType.rawValue)
  }

  static func json(_ time: Timestamp?) -> String? { time.flatMap { try? $0.jsonString() } }

  /// Seconds, with milliseconds.
  static func json(_ time: Duration) -> String {
    Units.trimmed(Units.fixed(time / .seconds(1), decimals: 3))
  }
}

extension GetTripRequest {
  /// What the stamps in it are of, and what they are.
  var stamps: [(field: String, part: String, time: Timestamp)] {
    let all = [
      ("currentRouteSegmentVersion", "route", currentRouteSegmentVersion),
      ("currentRouteSegmentTrafficVersion", "traffic", currentRouteSegmentTrafficVersion),
      ("remainingWaypointsVersion", "stops", remainingWaypointsVersion),
      ("remainingWaypointsRouteVersion", "paths", remainingWaypointsRouteVersion),
    ]
    return all.compactMap { field, part, time in time.map { (field, part, $0) } }
  }
}
