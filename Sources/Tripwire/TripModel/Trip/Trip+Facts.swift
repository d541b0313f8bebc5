package import WireProtobuf

extension Trip {
  package func facts(at time: Timestamp?) -> ResourceFacts {
    var facts = ResourceFacts()
    facts.status = NamedValue(tripStatus)
    facts.vehicleID = vehicleId
    facts.stops = remainingWaypoints.map(ResourceFacts.Stop.init)
    facts.includesStopsOfOthers = true
    if let stop = nextTripWaypoint ?? nextWaypoint {
      facts.nextStop = .stop(StopIdentity(stop))
    } else {
      let name = tripStatus.name?.split(separator: "_").last.map(String.init) ?? ""
      facts.nextStop = .unknown(name, index: intermediateDestinationIndex)
    }
    facts.nextStopType = nextTripWaypoint?.waypointType
    facts.eta = etaToNextWaypoint
    facts.remainingMeters = remainingDistanceOfActiveRoute
    facts.legs = [activeRoute]
    facts.routeVersion = currentRouteSegmentVersion
    facts.attributes = attributes.map { NamedAttribute($0) }
    return facts
  }
}

extension ResourceFacts.Stop {
  init(_ stop: TripWaypoint) {
    self.init(
      identity: StopIdentity(stop), eta: stop.eta, distanceMeters: stop.distanceMeters,
      position: stop.location?.point)
  }
}
