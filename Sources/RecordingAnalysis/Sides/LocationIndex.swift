import Tripwire
import WireProtobuf

/// Finds values by the location that they belong to, by one of its times.
struct LocationIndex<Value> {
  private struct Key: Hashable {
    enum Kind { case raw, updated, server }
    let kind: Kind
    /// In milliseconds since 1970: servers round times.
    var time: Int64

    init?(_ kind: Kind, _ time: Timestamp?) {
      guard let time, let number = Int64(exactly: (time.secondsSince1970 * 1_000).rounded())
      else { return nil }
      (self.kind, self.time) = (kind, number)
    }
  }

  private var values: [Key: [Value]] = [:]
  /// Each location once, in the order in which they were added.
  private(set) var locations: [LocationReport] = []

  mutating func add(_ value: Value, at location: LocationReport) {
    if self[location].isEmpty { locations.append(location) }
    for key in Self.keys(location) { values[key, default: []].append(value) }
  }

  /// The values of a location, in the order in which they were added.
  subscript(location: LocationReport) -> [Value] {
    for var key in Self.keys(location) {
      let time = key.time
      for error: Int64 in [0, -1, 1] {
        key.time = time &+ error
        if let found = values[key] { return found }
      }
    }
    return []
  }

  /// The most exact one first.
  private static func keys(_ location: LocationReport) -> [Key] {
    [
      Key(.raw, location.rawLocationTime), Key(.updated, location.updateTime),
      Key(.server, location.serverTime),
    ].compactMap(\.self)
  }
}
