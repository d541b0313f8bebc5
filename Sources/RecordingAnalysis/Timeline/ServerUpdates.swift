import Recording
import Tripwire
import WireProtobuf

/// The trips in calls other than GetTrip, for recordings of servers such as the logs of Fleet Engine: the
/// trips that were created and updated, and the updates of their vehicles.
enum ServerUpdates {
  static let tripMethods: Set<String> = ["CreateTrip", "UpdateTrip"]
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
    trip.vehicleId = vehicle.name.split(separator: "/").last.map(String.init) ?? ""
    trip.lastLocation = vehicle.lastLocation.map(located) ?? trip.lastLocation
    trip.remainingDistanceMeters = vehicle.remainingDistanceMeters
    trip.etaToFirstWaypoint = vehicle.etaToFirstWaypoint
    if !vehicle.currentRouteSegment.isEmpty {
      trip.currentRouteSegment = vehicle.currentRouteSegment
    }
    if !vehicle.waypoints.isEmpty { trip.remainingWaypoints = vehicle.waypoints }
    return trip
  }

  /// Returns an updated trip with the parts that logs leave out but the known trip has.
  static func trip(_ update: Trip, after known: Trip?) -> Trip {
    guard let known, !update.tripStatus.isFinal else { return update }
    var trip = update
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

  /// Some logs have the measured location only.
  private static func located(_ location: VehicleLocation) -> VehicleLocation {
    var location = location
    location.location = location.location ?? location.rawLocation
    return location
  }
}
