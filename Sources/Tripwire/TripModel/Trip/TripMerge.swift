/// Completes responses that leave out unchanged parts of a trip.
///
/// Four parts of a trip have version stamps: the route, its traffic, the stops, and the paths to
/// them. The response to a request with stamps contains only the parts that changed. A response
/// leaves out both unchanged and empty parts, and the stamp tells them apart. All other fields are
/// sent every time, so a missing field is empty.
package struct TripMerge: Sendable {
  /// The effect of a response.
  package enum Outcome: Sendable {
    case merged(HeldTrip)
    /// The response leaves out parts that are not held or out of date: only a complete response
    /// helps.
    case wholeNeeded
    /// The response is older than the held trip, for example from a server that lags behind others.
    case outdated
  }

  package private(set) var held: HeldTrip?
  /// Whether the stamps of the held trip may be sent.
  private var isCurrent = false

  package init() {}

  /// Holds a trip that was received elsewhere.
  mutating func seed(_ trip: HeldTrip) {
    held = trip
    isCurrent = true
  }

  /// Adds the stamps of the held trip if it has the requested view and format.
  func stamp(_ request: inout GetTripRequest) {
    guard isCurrent, let held, held.isOfForm(of: request) else { return }
    request.currentRouteSegmentVersion = held.trip.currentRouteSegmentVersion
    request.currentRouteSegmentTrafficVersion = held.trip.currentRouteSegmentTrafficVersion
    request.remainingWaypointsVersion = held.trip.remainingWaypointsVersion
    request.remainingWaypointsRouteVersion = held.trip.remainingWaypointsRouteVersion
  }

  /// Requests a complete response next. The held trip stays until then.
  mutating func requestCompleteTrip() {
    isCurrent = false
  }

  /// - Parameter request: the request of this response, made from the held trip.
  package mutating func take(_ answer: Trip, to request: GetTripRequest) -> Outcome {
    var trip = answer
    if answer.isOlder(than: request) {
      // If the server's time has gone back, the next response is accepted.
      isCurrent = false
      return .outdated
    }
    if request.hasStamps, let held = held?.trip {
      let isComplete = answer.vehicleId == held.vehicleId && trip.complete(from: held, request)
      // A trip that is over is not polled again, so its missing parts are gone.
      if !isComplete, answer.tripStatus.isFinal { trip = answer }
      guard isComplete || answer.tripStatus.isFinal else {
        isCurrent = false
        return .wholeNeeded
      }
    }
    isCurrent = true
    if let held, held.trip == trip, held.isOfForm(of: request) { return .merged(held) }
    let merged = HeldTrip(trip, view: request.view, routeFormat: request.routeFormatType)
    held = merged
    return .merged(merged)
  }
}

/// A trip as it was received, and its format. A class, because it is passed on many times.
package final class HeldTrip: Sendable {
  package let trip: Trip
  private let view: TripView
  private let routeFormat: PolylineFormatType

  init(
    _ trip: Trip, view: TripView = .unspecified,
    routeFormat: PolylineFormatType = .unknownFormatType
  ) {
    self.trip = trip
    self.view = view
    self.routeFormat = routeFormat
  }

  fileprivate func isOfForm(of request: GetTripRequest) -> Bool {
    view == request.view && routeFormat == request.routeFormatType
  }
}

extension GetTripRequest {
  fileprivate var hasStamps: Bool {
    currentRouteSegmentVersion != nil || currentRouteSegmentTrafficVersion != nil
      || remainingWaypointsVersion != nil || remainingWaypointsRouteVersion != nil
  }
}

extension Trip {
  /// Whether a part that this response leaves out is unchanged: its stamp equals the sent one, or
  /// is missing as well. In a trip that is over, removed parts are missing, too.
  private func isUnchanged(since sent: Timestamp?, _ stamp: Timestamp?) -> Bool {
    sent != nil && (stamp == sent || stamp == nil && !tripStatus.isFinal)
  }

  /// Whether one of its stamps is older than the sent one.
  fileprivate func isOlder(than request: GetTripRequest) -> Bool {
    func isOlder(_ stamp: Timestamp?, _ sent: Timestamp?) -> Bool {
      guard let stamp, let sent else { return false }
      return stamp < sent
    }
    return isOlder(currentRouteSegmentVersion, request.currentRouteSegmentVersion)
      || isOlder(currentRouteSegmentTrafficVersion, request.currentRouteSegmentTrafficVersion)
      || isOlder(remainingWaypointsVersion, request.remainingWaypointsVersion)
      || isOlder(remainingWaypointsRouteVersion, request.remainingWaypointsRouteVersion)
  }

  /// Copies the unchanged parts that this response leaves out from the held trip.
  ///
  /// Returns false if it leaves out other parts.
  fileprivate mutating func complete(from held: Trip, _ request: GetTripRequest) -> Bool {
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
