import FleetEngineAPI
import WireProtobuf

/// The trip that the methods of TripService return: a stored one with the progress of its vehicle.
///
/// Its binary form is a sequence of parts, which protobuf merges. The largest parts change rarely, so that ``TripParts``
/// keeps them.
struct TripAnswer {
  private let stored: StoredTrip
  private let vehicle: StoredVehicle?
  private let progress: TripProgress
  private let now: Timestamp

  /// - Parameter vehicle: that of the trip; nil if it has none.
  init(_ stored: StoredTrip, _ id: String, _ vehicle: StoredVehicle?, at now: Timestamp) {
    self.stored = stored
    self.vehicle = stored.isAssigned ? vehicle : nil
    self.now = now
    progress = TripProgress(id, self.vehicle)
  }

  /// Returns the whole trip, as after a change.
  func whole() -> Trip {
    var parts = TripParts()
    // The bytes are those of a trip.
    return (try? Trip(serializedBytes: bytes(for: GetTripRequest(), &parts))) ?? Trip()
  }

  /// Returns the trip in the requested view and format, without the parts that are not newer than the versions in
  /// the request.
  ///
  /// - Parameter parts: those of the last answer.
  func bytes(for request: GetTripRequest, _ parts: inout TripParts) -> [UInt8] {
    let isEncoded = request.routeFormatType == .encodedPolylineType
    if request.view == .journeySharingV1s { return shared(isEncoded).serializedBytes() }
    let versions = stored.versions
    let selection = TripParts.Selection(
      hasRoute: versions.route.isNewer(than: request.currentRouteSegmentVersion),
      hasTraffic: versions.traffic.isNewer(than: request.currentRouteSegmentTrafficVersion),
      hasPaths: versions.paths.isNewer(than: request.remainingWaypointsRouteVersion),
      isEncoded: isEncoded)
    // Filled in place, because to return a trip is to copy it.
    var present = Trip()
    addPresent(to: &present)
    return parts.bytes(selection, of: stored) { trip in
      if selection.hasRoute { addRoute(to: &trip, isEncoded) }
      if selection.hasTraffic {
        trip.currentRouteSegmentTraffic = progress.traffic?.alongRoute(progress.segment)
      }
      // They are always sent (reference, `remaining_waypoints_version`).
      trip.remainingWaypoints = stops(hasPaths: selection.hasPaths, isEncoded)
    } + present.serializedBytes()
  }

  /// Adds the fields that may differ between two answers, or are small.
  private func addPresent(to trip: inout Trip) {
    trip.view = .sdk
    trip.currentRouteSegmentVersion = stored.versions.route
    trip.currentRouteSegmentTrafficVersion = stored.versions.traffic
    trip.remainingWaypointsVersion = stored.versions.waypoints
    trip.remainingWaypointsRouteVersion = stored.versions.paths
    addTimes(to: &trip)
    guard let vehicle else { return }
    trip.lastLocation = vehicle.vehicle.lastLocation?.answered(at: now)
    let stops = progress.timetable
    guard !stops.isEmpty else { return }
    trip.currentRouteSegmentEndPoint =
      vehicle.vehicle.currentRouteSegmentEndPoint ?? progress.next
    trip.lastLocationSnappable = trip.lastLocation != nil && !progress.segment.isEmpty
    trip.remainingDistanceMeters = vehicle.vehicle.remainingDistanceMeters
    let eta = stops[stops.startIndex].eta
    trip.etaToFirstWaypoint = eta
    trip.remainingTimeToFirstWaypoint = eta.map { WireDuration(max(.zero, $0 - now)) }
  }

  /// Adds the estimates of the stops that the vehicle has not passed.
  private func addTimes(to trip: inout Trip) {
    // By index, because a copy of a stop has many fields.
    let stops = progress.timetable
    for index in stops.indices where stops[index].tripId == progress.trip {
      switch stops[index].waypointType {
      case .pickup: trip.pickupTime = stops[index].eta
      case .dropOff: trip.dropoffTime = stops[index].eta
      default: break
      }
    }
  }

  private func addRoute(to trip: inout Trip, _ isEncoded: Bool) {
    if isEncoded {
      trip.currentRouteSegment = progress.segment
    } else {
      trip.route = (try? Polyline.decode(progress.segment)) ?? []
    }
  }

  private func stops(hasPaths: Bool, _ isEncoded: Bool) -> [TripWaypoint] {
    var stops = progress.stops
    guard hasPaths else { return stops }
    for (index, path) in zip(stops.indices.dropFirst(), progress.paths) {
      stops[index].setPath(path, isEncoded)
    }
    return stops
  }

  /// The trip in the view JOURNEY_SHARING_V1S, where the path to the first stop begins at the vehicle.
  private func shared(_ isEncoded: Bool) -> Trip {
    var trip = stored.trip
    trip.view = .journeySharingV1s
    trip.attributes = []
    addTimes(to: &trip)
    trip.remainingWaypoints = stops(hasPaths: true, isEncoded)
    guard let vehicle = vehicle?.vehicle else { return trip }
    trip.lastLocation = vehicle.lastLocation?.answered(at: now)
    guard !trip.remainingWaypoints.isEmpty else { return trip }
    let route = (try? Polyline.decode(progress.segment)) ?? []
    trip.remainingWaypoints[0].setPath(route.rest(from: vehicle.lastLocation?.location), isEncoded)
    trip.remainingWaypoints[0].distanceMeters = vehicle.remainingDistanceMeters
    trip.remainingWaypoints[0].duration = trip.remainingWaypoints[0].eta.map {
      WireDuration(max(.zero, $0 - now))
    }
    return trip
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
