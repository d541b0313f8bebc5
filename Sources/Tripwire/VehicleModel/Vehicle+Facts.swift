package import WireProtobuf

extension Vehicle {
  package func facts(at time: Timestamp?) -> ResourceFacts {
    var facts = ResourceFacts()
    facts.status = NamedValue(vehicleState)
    facts.navigation = NamedValue(navigationStatus)
    if let category = vehicleType?.category { facts.type = NamedValue(category) }
    facts.capacity = maximumCapacity > 0 ? maximumCapacity : nil
    facts.tripIDs = currentTrips
    var stops = waypoints.map(ResourceFacts.Stop.init)
    if !stops.isEmpty {
      // Only the vehicle's own ETA and distance are updated on the way to its first stop.
      stops[0].eta = etaToFirstWaypoint ?? stops[0].eta
      stops[0].distanceMeters = remainingDistanceMeters ?? stops[0].distanceMeters
    }
    facts.stops = stops
    facts.stopCount = Int32(clamping: stops.count)
    let next = waypoints.first ?? currentRouteSegmentEndPoint
    facts.nextStop = next.map { .stop(StopIdentity($0)) } ?? .unknown("", index: 0)
    facts.nextStopType = next?.waypointType
    // Without stops, the ETA refers to no stop.
    facts.eta = next == nil ? nil : etaToFirstWaypoint
    facts.remainingMeters = remainingDistanceMeters
    facts.legs = [RoutePath([], currentRouteSegment)]
    facts.routeVersion = currentRouteSegmentVersion
    facts.attributes = attributes.map { NamedAttribute($0, older: $0.value) }
    return facts
  }
}
