/// A trip put together from answers that leave out what has not changed.
///
/// Four parts of a trip carry version stamps: the route, its traffic, the stops, and the paths to
/// them. A request that names the stamps of what is held gets only what changed since. An answer
/// cannot say "none" other than by leaving a part out, as it does with one that is unchanged: so the
/// stamp decides. All else comes every time, and what is missing is gone.
package struct TripMerge: Sendable {
  /// What an answer made of the trip.
  package enum Outcome: Sendable {
    case merged(HeldTrip)
    /// It leaves out what is not held, or may be of another time: only a whole answer helps.
    case wholeNeeded
    /// It is older than what is held, as when servers take turns of which one lags behind.
    case outdated
  }

  package private(set) var held: HeldTrip?
  /// Whether the stamps of what is held may be sent.
  private var isCurrent = false

  package init() {}

  /// Fills in the stamps of what is held, if that is of the view and the format that are asked for.
  func stamp(_ request: inout GetTripRequest) {
    guard isCurrent, let held, held.isOfForm(of: request) else { return }
    request.currentRouteSegmentVersion = held.trip.currentRouteSegmentVersion
    request.currentRouteSegmentTrafficVersion = held.trip.currentRouteSegmentTrafficVersion
    request.remainingWaypointsVersion = held.trip.remainingWaypointsVersion
    request.remainingWaypointsRouteVersion = held.trip.remainingWaypointsRouteVersion
  }

  /// Has the next answer come whole. What is held stays until then.
  mutating func askForWhole() {
    isCurrent = false
  }

  /// - Parameter request: what was answered; all such are made from what is held.
  package mutating func take(_ answer: Trip, to request: GetTripRequest) -> Outcome {
    var trip = answer
    if answer.isOlder(than: request) {
      // Should time have gone back on the server, the next one is believed.
      isCurrent = false
      return .outdated
    }
    if request.hasStamps, let held = held?.trip {
      let isComplete = answer.vehicleId == held.vehicleId && trip.complete(from: held, request)
      // A trip that is over is not asked for again: of such a one what is missing is gone.
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

/// A trip as it was received, and in what form. One object, as it goes through many hands.
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
  /// Whether a part that this answer leaves out is as it was: its stamp is the one that was sent, or
  /// was left out with it, as in a trip that is over also what is gone is.
  private func isUnchanged(since sent: Timestamp?, _ stamp: Timestamp?) -> Bool {
    sent != nil && (stamp == sent || stamp == nil && !tripStatus.isFinal)
  }

  /// Whether one of its stamps is older than the one that was sent.
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

  /// Takes from what is held the parts that this answer leaves out because they are unchanged.
  ///
  /// Returns false when it leaves out something else.
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
      // Paths come with their stops only.
      guard !haveOtherPaths || held.remainingWaypoints.isEmpty else { return false }
      remainingWaypoints = held.remainingWaypoints
      remainingWaypointsVersion = held.remainingWaypointsVersion
    } else if hasSamePaths, !remainingWaypoints.contains(where: \.hasPath) {
      guard graftPaths(of: held.remainingWaypoints) else { return false }
    }
    if hasSamePaths { remainingWaypointsRouteVersion = held.remainingWaypointsRouteVersion }
    return true
  }

  /// Gives each stop the path that the same stop had. Those that are gone were passed, so those that
  /// are left are looked for from the end. Returns false when one was not there.
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
