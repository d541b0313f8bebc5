import FleetEngineAPI

/// The stops of a vehicle in their order, each of one of its trips.
extension [TripWaypoint] {
  /// Returns the stops with those of a trip replaced. The last new stops take the places of the trip. The others
  /// precede them, or are appended if the trip has no place.
  func replacing(_ trip: String, by stops: [TripWaypoint]) -> Self {
    let places = indices.filter { self[$0].tripId == trip }
    let kept = places.suffix(stops.count)
    var result = self
    for (place, stop) in zip(kept, stops.suffix(kept.count)) {
      result[place] = self.first { $0.isSameStop(as: stop) } ?? stop
    }
    result.insert(contentsOf: stops.dropLast(kept.count), at: kept.first ?? count)
    for place in places.dropLast(kept.count).reversed() { result.remove(at: place) }
    return result
  }

  /// Returns the stops in the order of a list of the same stops; nil if it is one of others.
  func ordered(as wanted: Self) -> Self? {
    guard wanted.count == count else { return nil }
    var rest = self
    var result: Self = []
    for stop in wanted {
      guard let index = rest.firstIndex(where: { $0.isSameStop(as: stop) }) else { return nil }
      result.append(rest.remove(at: index))
    }
    return result
  }

  /// Whether no other stop is between those of a trip.
  func areTogether(_ trip: String) -> Bool {
    guard let first = firstIndex(where: { $0.tripId == trip }),
      let last = lastIndex(where: { $0.tripId == trip })
    else { return true }
    return self[first...last].allSatisfy { $0.tripId == trip }
  }
}

extension Violations {
  /// Adds a violation if the stops of a trip are in another order than in a list of the same stops.
  mutating func requireTripsInOrder(
    of stops: [TripWaypoint], _ wanted: [TripWaypoint], _ field: String
  ) {
    let trips = Dictionary(grouping: stops, by: \.tripId)
    let isInOrder = Dictionary(grouping: wanted, by: \.tripId).allSatisfy { id, stops in
      stops.elementsEqual(trips[id] ?? []) { $0.isSameStop(as: $1) }
    }
    require(
      isInOrder, field,
      "must have the pickup of a trip before its destinations, and its drop-off last")
  }
}

extension TripWaypoint {
  func isSameStop(as other: TripWaypoint) -> Bool {
    tripId == other.tripId && waypointType == other.waypointType
      && location?.point == other.location?.point
  }
}
