import FleetEngineAPI
import WireProtobuf

/// The part of the journey of a vehicle that one of its trips shows: the route to the next stop, and the stops up to
/// the last one of the trip. Stops of other trips may be among them.
struct TripProgress {
  let trip: String
  var segment = ""
  var traffic: TrafficPolylineData?
  /// Without paths.
  var stops: [TripWaypoint] = []
  /// The paths to the stops after the first, each from the stop before.
  var paths: [[LatLng]] = []

  /// - Parameter vehicle: nil for a trip without one, or one that is over.
  init(_ trip: String, _ vehicle: StoredVehicle?) {
    self.trip = trip
    guard let vehicle else { return }
    stops = vehicle.timetable
    stops.removeLast(stops.count - ((stops.lastIndex { $0.tripId == trip } ?? -1) + 1))
    guard !stops.isEmpty else { return }
    segment = vehicle.vehicle.currentRouteSegment
    traffic = vehicle.vehicle.currentRouteSegmentTraffic
    paths = stops.dropFirst().map(\.pathToWaypoint)
    for index in stops.indices { stops[index].pathToWaypoint = [] }
    // Undefined for the first stop (reference, `TripWaypoint`), and different after each location.
    stops[0].distanceMeters = nil
  }
}
