public import WireGRPC

/// The options of requests for a trip.
public struct TripRequestOptions: ResourceRequestOptions {
  /// The fields that the server fills; unspecified means ``TripView/sdk``.
  public var view: TripView
  /// Requests routes as points or encoded; unknown means points.
  public var routeFormat: PolylineFormatType

  /// Creates the default options.
  public init() { self.init(view: .unspecified, routeFormat: .unknownFormatType) }

  /// Creates options. See the properties.
  public init(view: TripView, routeFormat: PolylineFormatType) {
    self.view = view
    self.routeFormat = routeFormat
  }
}

extension GetTripRequest: GetResourceRequest {}

/// Four parts of a trip have version stamps: the route, its traffic, the stops, and the paths to them.
extension Trip: FollowedResource {
  /// Whether the trip is complete or canceled.
  public var isFinal: Bool { tripStatus.isFinal }

  public static func changes(from old: Trip, to new: Trip) -> TripPropertyFields {
    .differences(from: old, to: new)
  }

  /// The trip without version stamps, fields that change with time alone, and fields that duplicate those of
  /// the stops.
  package var withoutTimes: Trip {
    var trip = self
    trip.lastLocation = lastLocation?.withoutAge
    trip.remainingTimeToFirstWaypoint = nil
    trip.intermediateDestinationsVersion = nil
    trip.currentRouteSegmentVersion = nil
    trip.currentRouteSegmentTrafficVersion = nil
    trip.remainingWaypointsVersion = nil
    trip.remainingWaypointsRouteVersion = nil
    trip.currentRouteSegmentEndPoint = nil
    return trip
  }

  public static var getMethod: MethodDescriptor<GetTripRequest, Trip> { TripServiceMethods.getTrip }

  public static func options(of request: GetTripRequest) -> TripRequestOptions {
    TripRequestOptions(view: request.view, routeFormat: request.routeFormatType)
  }

  public static func set(_ options: TripRequestOptions, in request: inout GetTripRequest) {
    request.view = options.view
    request.routeFormatType = options.routeFormat
  }

  public static func hasStamps(_ request: GetTripRequest) -> Bool {
    request.currentRouteSegmentVersion != nil || request.currentRouteSegmentTrafficVersion != nil
      || request.remainingWaypointsVersion != nil || request.remainingWaypointsRouteVersion != nil
  }

  public func stamp(_ request: inout GetTripRequest) {
    request.currentRouteSegmentVersion = currentRouteSegmentVersion
    request.currentRouteSegmentTrafficVersion = currentRouteSegmentTrafficVersion
    request.remainingWaypointsVersion = remainingWaypointsVersion
    request.remainingWaypointsRouteVersion = remainingWaypointsRouteVersion
  }

  /// In a trip that is over, removed parts are missing as well.
  private func isUnchanged(since sent: Timestamp?, _ stamp: Timestamp?) -> Bool {
    stamp.isUnchanged(since: sent) && (stamp != nil || !tripStatus.isFinal)
  }

  /// Whether a version stamp of this trip is older than the one in the request.
  public func isOlder(than request: GetTripRequest) -> Bool {
    currentRouteSegmentVersion.isOlder(than: request.currentRouteSegmentVersion)
      || currentRouteSegmentTrafficVersion.isOlder(than: request.currentRouteSegmentTrafficVersion)
      || remainingWaypointsVersion.isOlder(than: request.remainingWaypointsVersion)
      || remainingWaypointsRouteVersion.isOlder(than: request.remainingWaypointsRouteVersion)
  }

  /// Copies from the held trip the unchanged parts that this response leaves out.
  ///
  /// Returns false if other parts are missing, or if the trip has another vehicle.
  public mutating func complete(from held: Trip, to request: GetTripRequest) -> Bool {
    guard vehicleId == held.vehicleId else { return false }
    if route.isEmpty, currentRouteSegment.isEmpty,
      isUnchanged(since: request.currentRouteSegmentVersion, currentRouteSegmentVersion)
    {
      route = held.route
      currentRouteSegment = held.currentRouteSegment
      currentRouteSegmentVersion = held.currentRouteSegmentVersion
    }
    if currentRouteSegmentTraffic == nil,
      isUnchanged(
        since: request.currentRouteSegmentTrafficVersion, currentRouteSegmentTrafficVersion)
    {
      currentRouteSegmentTraffic = held.currentRouteSegmentTraffic
      currentRouteSegmentTrafficVersion = held.currentRouteSegmentTrafficVersion
    }
    return completeWaypoints(from: held, request)
  }

  private mutating func completeWaypoints(from held: Trip, _ request: GetTripRequest) -> Bool {
    let hasSamePaths = isUnchanged(
      since: request.remainingWaypointsRouteVersion, remainingWaypointsRouteVersion)
    if remainingWaypoints.isEmpty,
      isUnchanged(since: request.remainingWaypointsVersion, remainingWaypointsVersion)
    {
      let haveOtherPaths =
        request.remainingWaypointsRouteVersion != remainingWaypointsRouteVersion && !hasSamePaths
      // Paths only come together with their stops.
      guard !haveOtherPaths || held.remainingWaypoints.isEmpty else { return false }
      remainingWaypoints = held.remainingWaypoints
      remainingWaypointsVersion = held.remainingWaypointsVersion
    } else if hasSamePaths, !remainingWaypoints.contains(where: \.hasPath) {
      guard graftPaths(of: held.remainingWaypoints) else { return false }
    }
    if hasSamePaths { remainingWaypointsRouteVersion = held.remainingWaypointsRouteVersion }
    return true
  }

  public mutating func shareEqualParts(with held: Trip) {
    if name == held.name { name = held.name }
    if vehicleId == held.vehicleId { vehicleId = held.vehicleId }
    if Trip.areEqual(pickupPoint, held.pickupPoint) { pickupPoint = held.pickupPoint }
    if Trip.areEqual(dropoffPoint, held.dropoffPoint) { dropoffPoint = held.dropoffPoint }
    if Trip.areEqual(intermediateDestinations, held.intermediateDestinations) {
      intermediateDestinations = held.intermediateDestinations
    }
    if Trip.areEqual(remainingWaypoints, held.remainingWaypoints) {
      remainingWaypoints = held.remainingWaypoints
    }
    if Trip.areEqual(vehicleWaypoints, held.vehicleWaypoints) {
      vehicleWaypoints = held.vehicleWaypoints
    }
    if Trip.areEqual(currentRouteSegmentEndPoint, held.currentRouteSegmentEndPoint) {
      currentRouteSegmentEndPoint = held.currentRouteSegmentEndPoint
    }
    if Trip.areEqual(route, held.route) { route = held.route }
    if currentRouteSegment == held.currentRouteSegment {
      currentRouteSegment = held.currentRouteSegment
    }
    if Trip.areEqual(currentRouteSegmentTraffic, held.currentRouteSegmentTraffic) {
      currentRouteSegmentTraffic = held.currentRouteSegmentTraffic
    }
  }

  /// Copies the path of each stop from the same stop in the held trip. The vehicle passed the
  /// missing stops, so the search starts at the end. Returns false if a stop was not held.
  private mutating func graftPaths(of held: [TripWaypoint]) -> Bool {
    var candidates = held[...]
    for index in remainingWaypoints.indices.reversed() {
      let stop = remainingWaypoints[index]
      guard let match = candidates.lastIndex(where: { $0.isSameStop(as: stop) }) else {
        return false
      }
      remainingWaypoints[index].pathToWaypoint = held[match].pathToWaypoint
      remainingWaypoints[index].encodedPathToWaypoint = held[match].encodedPathToWaypoint
      remainingWaypoints[index].trafficToWaypoint = held[match].trafficToWaypoint
      candidates = held[..<match]
    }
    return true
  }
}

extension TripWaypoint {
  fileprivate var hasPath: Bool {
    !pathToWaypoint.isEmpty || !encodedPathToWaypoint.isEmpty || trafficToWaypoint != nil
  }

  fileprivate func isSameStop(as other: TripWaypoint) -> Bool {
    tripId == other.tripId && waypointType == other.waypointType && location == other.location
  }
}

extension TripStatus {
  /// Whether this is a trip's last status.
  package var isFinal: Bool { self == .complete || self == .canceled }

  /// The place in the life of a trip; nil for a value that no trip may have.
  package var stage: Int? {
    switch self {
    case .new: 0
    case .enrouteToPickup: 1
    case .arrivedAtPickup: 2
    // A trip may have several destinations, one after the other.
    case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: 3
    case .enrouteToDropoff: 4
    case .complete, .canceled: 5
    case .unknown, .unrecognized: nil
    }
  }
}
