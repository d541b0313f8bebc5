import FleetEngineAPI
import WireProtobuf

/// The trip that the methods of TripService return: a stored one with the progress of its vehicle.
struct TripAnswer {
  private let stored: StoredTrip
  private let vehicle: StoredVehicle?
  private let now: Timestamp

  /// - Parameter vehicle: that of the trip; nil if it has none.
  init(_ stored: StoredTrip, _ vehicle: StoredVehicle?, at now: Timestamp) {
    self.stored = stored
    self.vehicle = stored.isAssigned ? vehicle : nil
    self.now = now
  }

  /// Returns the whole trip, as after a change.
  func whole() -> Trip { answer(to: GetTripRequest()) }

  /// Returns the trip in the requested view and format, without the parts that are not newer than the versions in
  /// the request.
  func answer(to request: GetTripRequest) -> Trip {
    var trip = stored.trip
    let progress = TripProgress(trip.id, vehicle)
    let isEncoded = request.routeFormatType == .encodedPolylineType
    addTimes(to: &trip, progress)
    trip.lastLocation = vehicle?.vehicle.lastLocation?.answered(at: now)
    if request.view == .journeySharingV1s {
      trip.view = .journeySharingV1s
      trip.attributes = []
      trip.remainingWaypoints = sharedStops(progress, isEncoded)
      return trip
    }
    trip.view = .sdk
    trip.actualPickupPoint = nil
    trip.actualDropoffPoint = nil
    add(stored.versions, to: &trip)
    if Self.isNewer(stored.versions.route, than: request.currentRouteSegmentVersion) {
      if isEncoded {
        trip.currentRouteSegment = progress.segment
      } else {
        trip.route = (try? Polyline.decode(progress.segment)) ?? []
      }
    }
    if Self.isNewer(stored.versions.traffic, than: request.currentRouteSegmentTrafficVersion) {
      trip.currentRouteSegmentTraffic = progress.traffic?.alongRoute(progress.segment)
    }
    if Self.isNewer(stored.versions.waypoints, than: request.remainingWaypointsVersion) {
      let hasPaths = Self.isNewer(
        stored.versions.paths, than: request.remainingWaypointsRouteVersion)
      trip.remainingWaypoints = progress.stops
      if hasPaths { addPaths(to: &trip.remainingWaypoints, progress, isEncoded) }
    }
    guard let vehicle, !progress.stops.isEmpty else { return trip }
    trip.currentRouteSegmentEndPoint =
      vehicle.vehicle.currentRouteSegmentEndPoint ?? progress.stops.first
    trip.lastLocationSnappable = trip.lastLocation != nil && !progress.segment.isEmpty
    trip.remainingDistanceMeters = vehicle.vehicle.remainingDistanceMeters
    trip.etaToFirstWaypoint = progress.stops.first?.eta
    trip.remainingTimeToFirstWaypoint = trip.etaToFirstWaypoint.map {
      WireDuration(max(.zero, $0 - now))
    }
    return trip
  }

  /// Without a version in the request, a part is always sent.
  private static func isNewer(_ version: Timestamp?, than known: Timestamp?) -> Bool {
    guard let known else { return true }
    return version.map { $0 > known } ?? false
  }

  private func add(_ versions: TripVersions, to trip: inout Trip) {
    trip.currentRouteSegmentVersion = versions.route
    trip.currentRouteSegmentTrafficVersion = versions.traffic
    trip.remainingWaypointsVersion = versions.waypoints
    trip.remainingWaypointsRouteVersion = versions.paths
  }

  /// Adds the estimates of the stops that the vehicle has not passed.
  private func addTimes(to trip: inout Trip, _ progress: TripProgress) {
    for stop in progress.stops where stop.tripId == trip.id {
      switch stop.waypointType {
      case .pickup: trip.pickupTime = stop.eta
      case .dropOff: trip.dropoffTime = stop.eta
      default: break
      }
    }
  }

  private func addPaths(
    to stops: inout [TripWaypoint], _ progress: TripProgress, _ isEncoded: Bool
  ) {
    for (index, path) in zip(stops.indices.dropFirst(), progress.paths) {
      stops[index].setPath(path, isEncoded)
    }
  }

  /// The stops of JOURNEY_SHARING_V1S, where the path to the first one begins at the vehicle.
  private func sharedStops(_ progress: TripProgress, _ isEncoded: Bool) -> [TripWaypoint] {
    var stops = progress.stops
    addPaths(to: &stops, progress, isEncoded)
    guard let vehicle, !stops.isEmpty else { return stops }
    let route = (try? Polyline.decode(progress.segment)) ?? []
    stops[0].setPath(route.rest(from: vehicle.vehicle.lastLocation?.location), isEncoded)
    stops[0].distanceMeters = vehicle.vehicle.remainingDistanceMeters
    stops[0].duration = stops[0].eta.map { WireDuration(max(.zero, $0 - now)) }
    return stops
  }
}

extension TripWaypoint {
  fileprivate mutating func setPath(_ path: [LatLng], _ isEncoded: Bool) {
    if isEncoded, let text = try? S2Polyline.encode(path) {
      encodedPathToWaypoint = text
    } else {
      pathToWaypoint = path
    }
  }
}
