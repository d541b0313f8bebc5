import FleetEngineAPI
import Tripwire

extension TripStatus {
  /// Whether a trip may change from this status to another one. It may leave out some, but not go back.
  func canChange(to other: TripStatus) -> Bool {
    guard let stage, let next = other.stage else { return false }
    return self == other || !isFinal && stage <= next
  }

  var hasPickedUp: Bool { (stage ?? 0) >= 3 && self != .canceled }
}

extension Trip {
  /// Whether both are at or on the way to an intermediate destination, and this one at an earlier one.
  func isBefore(_ other: Trip) -> Bool {
    guard let place = destinationPlace, let last = other.destinationPlace else { return false }
    return place < last
  }

  /// The place among the destinations, on the way to each and at each; nil in other statuses.
  private var destinationPlace: (Int32, Int)? {
    switch tripStatus {
    case .enrouteToIntermediateDestination: (intermediateDestinationIndex, 0)
    case .arrivedAtIntermediateDestination: (intermediateDestinationIndex, 1)
    default: nil
    }
  }

  /// The last part of the name.
  var id: String { String(name.drop { $0 != "/" }.split(separator: "/").last ?? "") }

  /// The stops that the vehicle has not passed in the present status. A stop where it waits is one of them.
  var remainingStops: [TripWaypoint] {
    if tripStatus.isFinal { return [] }
    var stops: [TripWaypoint] = []
    if !tripStatus.hasPickedUp { stops += waypoint(.pickup, pickupPoint) }
    switch tripStatus {
    case .enrouteToDropoff: break
    case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
      stops += destinations.dropFirst(max(0, Int(intermediateDestinationIndex)))
    default: stops += destinations
    }
    return stops + waypoint(.dropOff, dropoffPoint)
  }

  private var destinations: [TripWaypoint] {
    intermediateDestinations.flatMap { waypoint(.intermediateDestination, $0) }
  }

  private func waypoint(_ type: WaypointType, _ location: TerminalLocation?) -> [TripWaypoint] {
    location.map { [TripWaypoint(location: $0, tripId: id, waypointType: type)] } ?? []
  }
}
