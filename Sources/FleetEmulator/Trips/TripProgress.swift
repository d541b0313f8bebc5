import FleetEngineAPI
import WireProtobuf

/// The part of the journey of a vehicle that one of its trips shows: the route to the next stop, and the stops up to
/// the last one of the trip. Stops of other trips may be among them.
struct TripProgress {
  let trip: String
  let segment: String
  let traffic: TrafficPolylineData?
  /// The stops of the vehicle up to the last one of the trip.
  let timetable: ArraySlice<TripWaypoint>

  /// - Parameter vehicle: nil for a trip without one, or one that is over.
  init(_ trip: String, _ vehicle: StoredVehicle?) {
    self.trip = trip
    let stops = vehicle?.timetable ?? []
    timetable = stops[...(stops.indices.last { stops[$0].tripId == trip } ?? -1)]
    let leading = timetable.isEmpty ? nil : vehicle
    segment = leading?.vehicle.currentRouteSegment ?? ""
    traffic = leading?.vehicle.currentRouteSegmentTraffic
  }

  /// Without paths.
  var stops: [TripWaypoint] { (next.map { [$0] } ?? []) + timetable.dropFirst().map(\.withoutPath) }

  /// The first stop.
  var next: TripWaypoint? {
    var stop = timetable.first?.withoutPath
    // Undefined for the first stop (reference, `TripWaypoint`), and different after each location.
    stop?.distanceMeters = nil
    stop?.duration = nil
    return stop
  }

  /// The paths to the stops after the first, each from the stop before.
  var paths: [[LatLng]] { timetable.dropFirst().map(\.pathToWaypoint) }
}

extension TripWaypoint {
  fileprivate var withoutPath: Self {
    var stop = self
    stop.pathToWaypoint = []
    return stop
  }
}
