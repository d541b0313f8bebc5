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
      name: vehicle.name, kind: .vehicle, state: vehicle.vehicleState.nameIfSet)
    let active = vehicle.pathToNextStop
    polylines = Polyline.all(
      .remainingRoute, vehicle.pathAfterNextStop, nil, style.remainingRoute)
    let traffic = vehicle.currentRouteSegmentTraffic?.trafficRendering.map {
      RouteTraffic($0.roadStretch, along: active)
    }
    polylines += Polyline.all(.activeRoute, active, traffic, style.activeRoute)
    polylines.sortStably(by: \.style.zIndex)
    for (index, stop) in vehicle.waypoints.enumerated() {
      guard let point = stop.location?.point, point.isOnGlobe else { continue }
      let kind = stop.markerKind
      markers.append(Marker(kind: kind, index: index, position: point, style: style[kind]))
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

extension Vehicle {
  /// The route from the vehicle to its next stop.
  fileprivate var pathToNextStop: [LatLng] {
    let segment = (try? Polyline.decode(currentRouteSegment)) ?? []
    return (segment.isEmpty ? waypoints.first?.points ?? [] : segment).filter(\.isOnGlobe)
  }

  /// The route from the next stop to the last one.
  fileprivate var pathAfterNextStop: [LatLng] {
    waypoints.dropFirst().flatMap(\.points).filter(\.isOnGlobe)
  }
}

extension TripWaypoint {
  fileprivate var points: [LatLng] { (try? path.points()) ?? [] }

  fileprivate var markerKind: Journey.Marker.Kind {
    switch waypointType {
    case .pickup: .pickup
    case .dropOff: .dropoff
    case .intermediateDestination, .unknown, .unrecognized: .intermediateDestination
    }
  }
}
