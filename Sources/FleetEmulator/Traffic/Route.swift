package import FleetEngineAPI
package import WireProtobuf

/// A point of a route, and when the vehicle was there if the route is a recorded track.
package struct RoutePoint: Equatable, Sendable {
  package var place: LatLng
  package var time: Timestamp?

  package init(place: LatLng, time: Timestamp? = nil) {
    self.place = place
    self.time = time
  }
}

/// The points that a vehicle passes, at least two.
package struct Route: Sendable {
  package let points: [RoutePoint]

  /// Whether each point has a time.
  package var hasTimes: Bool { points.allSatisfy { $0.time != nil } }

  /// Returns nil for fewer than two points.
  package init?(_ points: [RoutePoint]) {
    guard points.count > 1 else { return nil }
    self.points = points
  }
}
