/// Properties of a trip that combine several fields. The vehicle may serve stops of other trips on
/// the way.
extension Trip {
  /// The ID alone, as in ``TripWaypoint/tripId``.
  public var tripID: String { lastSegment(of: name) ?? "" }

  /// The vehicle's next stop, which may belong to another trip; nil if there is none.
  public var nextWaypoint: TripWaypoint? { remainingWaypoints.first }

  /// The next stop of this trip; nil if none is left or known.
  public var nextTripWaypoint: TripWaypoint? {
    nextTripWaypointIndex.map { remainingWaypoints[$0] }
  }

  /// The route of the vehicle to the next stop of this trip, through the stops of other trips.
  public var activeRoute: RoutePath {
    guard isOnTheWay else { return RoutePath() }
    var path = currentSegment
    for waypoint in activeLaterWaypoints { path.append(waypoint) }
    return path
  }

  /// The route from the next stop of this trip to its last.
  public var remainingRoute: RoutePath {
    var path = RoutePath()
    for waypoint in waypointsAfterNext ?? [] { path.append(waypoint) }
    return path
  }

  /// The length of ``activeRoute`` in meters; nil if unknown.
  public var remainingDistanceOfActiveRoute: Int32? {
    guard isOnTheWay else { return nil }
    // The server view contains it in the first stop only.
    let first = remainingDistanceMeters ?? remainingWaypoints.first?.distanceMeters
    return first.flatMap { Self.sum([$0] + activeLaterWaypoints.map(\.distanceMeters)) }
  }

  /// The length of ``remainingRoute`` in meters; 0 if the next stop is the last, nil if unknown.
  public var distanceOfRemainingRoute: Int32? {
    waypointsAfterNext.flatMap { Self.sum($0.map(\.distanceMeters)) }
  }

  /// The expected arrival at the next stop of this trip; nil if unknown.
  public var etaToNextWaypoint: Timestamp? {
    guard isOnTheWay else { return nil }
    return switch nextTripWaypointIndex ?? 0 {
    case 0: etaToFirstWaypoint ?? remainingWaypoints.first?.eta
    case let index: remainingWaypoints[index].eta
    }
  }

  /// The traffic along ``activeRoute``; nil if unknown.
  ///
  /// - Throws: ``PolylineError`` if its path cannot be decoded.
  public func activeRouteTraffic() throws(PolylineError) -> RouteTraffic? {
    try activeTrafficPieces.joined()
  }

  /// The traffic along ``remainingRoute``; nil if unknown.
  ///
  /// - Throws: ``PolylineError`` if its path cannot be decoded.
  public func remainingRouteTraffic() throws(PolylineError) -> RouteTraffic? {
    try remainingTrafficPieces.joined()
  }
}

extension TripWaypoint {
  /// The route to this stop from the previous one, or from the vehicle.
  public var path: RoutePath { RoutePath(pathToWaypoint, encodedPathToWaypoint) }

  /// The traffic along ``path``; nil if unknown.
  ///
  /// - Throws: ``PolylineError`` if its path cannot be decoded.
  public func traffic() throws(PolylineError) -> RouteTraffic? {
    var pieces = TrafficPieces()
    pieces.append(self)
    return try pieces.joined()
  }
}

extension Trip {
  var activeTrafficPieces: TrafficPieces {
    guard isOnTheWay else { return TrafficPieces() }
    var pieces = TrafficPieces()
    let isForServers = currentRouteSegmentTraffic == nil && currentSegmentIsThatOfFirstWaypoint
    pieces.append(
      isForServers ? remainingWaypoints.first?.trafficToWaypoint : currentRouteSegmentTraffic,
      along: currentSegment)
    for waypoint in activeLaterWaypoints { pieces.append(waypoint) }
    return pieces
  }

  var remainingTrafficPieces: TrafficPieces {
    var pieces = TrafficPieces()
    for waypoint in waypointsAfterNext ?? [] { pieces.append(waypoint) }
    return pieces
  }

  /// Whether the current route segment leads to a stop of this trip. It does not if all remaining
  /// stops belong to other trips.
  private var isOnTheWay: Bool {
    let id = tripID
    return id.isEmpty || remainingWaypoints.isEmpty
      || remainingWaypoints.contains { $0.tripId.isEmpty || $0.tripId == id }
  }

  private var nextTripWaypointIndex: Int? {
    guard !remainingWaypoints.isEmpty else { return nil }
    let id = tripID
    return remainingWaypoints.firstIndex { $0.tripId == id }
  }

  /// The vehicle's stops after its next one, up to this trip's next.
  private var activeLaterWaypoints: ArraySlice<TripWaypoint> {
    guard let next = nextTripWaypointIndex, next > 0 else { return [] }
    return remainingWaypoints[1...next]
  }

  /// The stops after this trip's next one, up to its last.
  private var waypointsAfterNext: ArraySlice<TripWaypoint>? {
    guard let next = nextTripWaypointIndex else { return nil }
    let id = tripID
    let last = remainingWaypoints.lastIndex { $0.tripId == id } ?? next
    return remainingWaypoints[(next + 1)..<(last + 1)]
  }

  private var currentSegmentIsThatOfFirstWaypoint: Bool {
    route.isEmpty && currentRouteSegment.isEmpty
  }

  /// The route to the vehicle's next stop. The server view contains it in that stop only.
  private var currentSegment: RoutePath {
    guard currentSegmentIsThatOfFirstWaypoint else { return RoutePath(route, currentRouteSegment) }
    return remainingWaypoints.first?.path ?? RoutePath()
  }

  /// Nil if a distance is unknown, or the sum is out of range.
  private static func sum(_ distances: [Int32?]) -> Int32? {
    var sum: Int32 = 0
    for distance in distances {
      guard let distance else { return nil }
      let (next, overflows) = sum.addingReportingOverflow(distance)
      guard !overflows else { return nil }
      sum = next
    }
    return sum
  }
}

extension RoutePath {
  fileprivate mutating func append(_ waypoint: TripWaypoint) {
    append(waypoint.pathToWaypoint, waypoint.encodedPathToWaypoint)
  }
}

extension TrafficPieces {
  fileprivate mutating func append(_ waypoint: TripWaypoint) {
    guard let traffic = waypoint.trafficToWaypoint else { return }
    append(traffic, along: waypoint.path)
  }
}
