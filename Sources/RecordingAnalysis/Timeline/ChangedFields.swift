import Tripwire

/// The fields of a trip whose changes are reported to programs: those from which the properties of
/// `TripPropertyFields` are read. Version stamps, fields that only count time, and the end point of the
/// route segment, which the stops have too, are left out.
enum ChangedFields {
  private struct Field: Sendable {
    let name: String
    let differs: @Sendable (Trip, Trip) -> Bool

    init<Value: Equatable & SendableMetatype>(
      _ name: String, _ value: @escaping @Sendable (Trip) -> Value
    ) {
      self.name = name
      differs = { value($0) != value($1) }
    }
  }

  /// In the order in which the JSON of a trip has them.
  private static let all = [
    Field("name") { $0.name },
    Field("vehicleId") { $0.vehicleId },
    Field("tripStatus") { $0.tripStatus },
    Field("tripType") { $0.tripType },
    Field("pickupPoint") { $0.pickupPoint },
    Field("pickupTime") { $0.pickupTime },
    Field("dropoffPoint") { $0.dropoffPoint },
    Field("dropoffTime") { $0.dropoffTime },
    Field("route") { $0.route },
    Field("numberOfPassengers") { $0.numberOfPassengers },
    Field("lastLocation") { $0.lastLocation?.withoutAge },
    Field("remainingDistanceMeters") { $0.remainingDistanceMeters },
    Field("etaToFirstWaypoint") { $0.etaToFirstWaypoint },
    Field("intermediateDestinations") { $0.intermediateDestinations },
    Field("intermediateDestinationIndex") { $0.intermediateDestinationIndex },
    Field("remainingWaypoints") { $0.remainingWaypoints },
    Field("currentRouteSegment") { $0.currentRouteSegment },
    Field("lastLocationSnappable") { $0.lastLocationSnappable },
    Field("currentRouteSegmentTraffic") { $0.currentRouteSegmentTraffic },
  ]

  /// Returns the JSON names of the fields that differ, including fields that only one of the trips has.
  static func names(from old: Trip, to new: Trip) -> [String] {
    all.filter { $0.differs(old, new) }.map(\.name)
  }
}
