import Tripwire
import WireProtobuf

/// The trips in calls other than GetTrip, for recordings of servers such as the logs of Fleet Engine: the
/// trips that were created and updated, and the updates of their vehicles.
enum ServerUpdates {
  static let vehiclePaths: Set<String> = [
    "/maps.fleetengine.v1.VehicleService/GetVehicle",
    "/maps.fleetengine.v1.VehicleService/UpdateVehicle",
  ]

  /// Returns the names of the trips of a vehicle.
  static func trips(of vehicle: Vehicle) -> [String] {
    let parts = vehicle.name.split(separator: "/")
    guard parts.count == 4 else { return [] }
    return vehicle.currentTrips.map { "providers/\(parts[1])/trips/\($0)" }
  }

  /// Returns the trip as it is after an update of its vehicle.
  static func trip(_ name: String, _ known: Trip?, with vehicle: Vehicle) -> Trip {
    var trip = known ?? Trip()
    trip.name = name
    trip.vehicleId = lastSegment(of: vehicle.name) ?? ""
    trip.lastLocation = vehicle.lastLocation.map(located) ?? trip.lastLocation
    trip.remainingDistanceMeters = vehicle.remainingDistanceMeters
    trip.etaToFirstWaypoint = vehicle.etaToFirstWaypoint
    if !vehicle.currentRouteSegment.isEmpty {
      trip.currentRouteSegment = vehicle.currentRouteSegment
    }
    if !vehicle.waypoints.isEmpty {
      trip.remainingWaypoints = vehicle.waypoints
    } else if let next = vehicle.currentRouteSegmentEndPoint,
      ["", trip.tripID].contains(next.tripId)
    {
      trip.remainingWaypoints = stops(of: known, from: next)
    }
    return completed(trip, after: known)
  }

  /// Returns an updated trip with the parts that logs leave out but the known trip has.
  static func trip(_ update: Trip, after known: Trip?) -> Trip {
    var trip = completed(update, after: known)
    guard let known, !update.tripStatus.isFinal else { return trip }
    trip.lastLocation = update.lastLocation.map(located) ?? known.lastLocation
    if let old = known.lastLocation,
      (trip.lastLocation?.serverTime ?? Timestamp()) < (old.serverTime ?? Timestamp())
    {
      trip.lastLocation = old
    }
    if trip.route.isEmpty, trip.currentRouteSegment.isEmpty {
      trip.currentRouteSegment = known.currentRouteSegment
      trip.route = known.route
    }
    if trip.remainingWaypoints.isEmpty { trip.remainingWaypoints = known.remainingWaypoints }
    return trip
  }

  /// Returns a response to GetTrip with what some logs leave out.
  static func response(_ trip: Trip, to request: GetTripRequest, after known: Trip?) -> Trip {
    // Without stops, a response to a request with their stamp means that they have not changed.
    let isUnchanged =
      request.remainingWaypointsVersion != nil
      && trip.currentRouteSegmentEndPoint.map { index(of: $0, in: known) == 0 } ?? false
    return completed(trip, after: known, keepsStops: isUnchanged)
  }

  /// Returns a trip with what some logs leave out: all stops but the next, and the trips and the types of
  /// the stops.
  private static func completed(_ trip: Trip, after known: Trip?, keepsStops: Bool = false) -> Trip
  {
    var trip = trip
    if trip.remainingWaypoints.isEmpty, !keepsStops, let next = trip.currentRouteSegmentEndPoint {
      trip.remainingWaypoints = stops(of: known, from: next)
    }
    var places = trip.intermediateDestinations.map { (WaypointType.intermediateDestination, $0) }
    if let place = trip.dropoffPoint { places.append((.dropOff, place)) }
    let isBeforePickup = [.unknown, .new, .enrouteToPickup, .arrivedAtPickup].contains(
      trip.tripStatus)
    if isBeforePickup, let place = trip.pickupPoint { places.insert((.pickup, place), at: 0) }
    for index in trip.remainingWaypoints.indices
    where trip.remainingWaypoints[index].tripId.isEmpty {
      let stop = trip.remainingWaypoints[index].location?.point
      // The logs round the two places to different numbers of digits.
      guard let stop,
        let (type, _) = places.first(where: { $0.1.point.map { distance($0, stop) < 1 } ?? false })
      else { continue }
      trip.remainingWaypoints[index].tripId = trip.tripID
      if trip.remainingWaypoints[index].waypointType == .unknown {
        trip.remainingWaypoints[index].waypointType = type
      }
    }
    return trip
  }

  /// Returns the stops from the next one on, as far as they are known.
  private static func stops(of known: Trip?, from next: TripWaypoint) -> [TripWaypoint] {
    guard let known, let index = index(of: next, in: known) else { return [next] }
    return [next] + known.remainingWaypoints[(index + 1)...]
  }

  private static func index(of stop: TripWaypoint, in trip: Trip?) -> Int? {
    guard let place = stop.location?.point else { return nil }
    return trip?.remainingWaypoints.firstIndex { other in
      other.location?.point.map { distance($0, place) < 1 } ?? false
    }
  }

  /// Some logs have the measured location only.
  private static func located(_ location: VehicleLocation) -> VehicleLocation {
    var location = location
    location.location = location.location ?? location.rawLocation
    return location
  }
}
