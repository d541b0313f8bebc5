public import Tripwire

extension Journey {
  /// Creates the contents of a map of a vehicle that serves trips: its place, its routes, and the stops of
  /// all its trips.
  ///
  /// The line ``Polyline/Kind/activeRoute`` leads to the next stop and has the traffic. The line
  /// ``Polyline/Kind/remainingRoute`` leads from there to the last stop. The ``Marker/index`` of a stop is its
  /// index among the vehicle's waypoints.
  public init(_ vehicle: Vehicle, style: JourneyStyle = JourneyStyle()) {
    self.init(
      name: vehicle.name, kind: .vehicle, state: NamedValue(vehicle.vehicleState).nameIfSet)
    var active = points(vehicle.currentRouteSegmentPoints)
    if active.isEmpty, let next = vehicle.waypoints.first { active = points(next.path.points) }
    let rest = vehicle.waypoints.dropFirst().flatMap { points($0.path.points) }
    polylines = Polyline.all(.remainingRoute, rest, nil, style.remainingRoute)
    let traffic = vehicle.currentRouteSegmentTraffic?.trafficRendering.map {
      RouteTraffic($0.roadStretch, along: active)
    }
    polylines += Polyline.all(.activeRoute, active, traffic, style.activeRoute)
    polylines.sortStably(by: \.style.zIndex)
    markers = vehicle.waypoints.enumerated().compactMap { index, stop in
      Marker(stop.markerKind, at: stop.location?.point, index: index, style)
    }
    let next = markers.first { $0.index == 0 }?.position
    let place = Marker.vehicle(at: vehicle.lastLocation, on: nil, style)
    if let place { markers.append(place) }
    markers.removeAll { !$0.style.isVisible }
    markers.sortStably(by: \.style.zIndex)
    let inView = active + [place?.position, next].compactMap { $0 }
    camera = MapBounds(inView.isEmpty ? markers.map(\.position) : inView)
  }
}

extension TripWaypoint {
  fileprivate var markerKind: Journey.Marker.Kind {
    switch waypointType {
    case .pickup: .pickup
    case .dropOff: .dropoff
    case .intermediateDestination, .unknown, .unrecognized: .intermediateDestination
    }
  }
}
