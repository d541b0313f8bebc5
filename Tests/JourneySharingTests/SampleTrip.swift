import Tripwire

extension LatLng {
  init(_ latitude: Double, _ longitude: Double) {
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension TerminalLocation {
  init(at point: LatLng) {
    self.init()
    self.point = point
  }
}

/// A trip in a town of straight streets at the equator: from the vehicle east to the pickup,
/// through another trip's stop, and on to the drop-off through two destinations.
enum SampleTrip {
  static func trip(_ status: TripStatus) -> Trip {
    var trip = Trip(
      name: "providers/p/trips/t1", tripStatus: status,
      pickupPoint: TerminalLocation(at: LatLng(0, 0.02)),
      intermediateDestinations: [
        TerminalLocation(at: LatLng(0, 0.03)), TerminalLocation(at: LatLng(0, 0.04)),
      ], dropoffPoint: TerminalLocation(at: LatLng(0.01, 0.05)),
      lastLocation: VehicleLocation(location: LatLng(0.0001, 0.005)))
    trip.route = [LatLng(0, 0), LatLng(0, 0.01)]
    trip.remainingWaypoints = [
      stop(of: "t0", LatLng(0, 0.01), []),
      stop(of: "t1", LatLng(0, 0.02), [LatLng(0, 0.01), LatLng(0, 0.02)]),
      stop(of: "t1", LatLng(0.01, 0.05), [LatLng(0, 0.02), LatLng(0, 0.05), LatLng(0.01, 0.05)]),
    ]
    return trip
  }

  private static func stop(of tripID: String, _ point: LatLng, _ path: [LatLng]) -> TripWaypoint {
    TripWaypoint(location: TerminalLocation(at: point), tripId: tripID, pathToWaypoint: path)
  }

  static func interval(
    _ start: Int32, _ end: Int32, _ speed: SpeedReadingInterval.Speed
  ) -> SpeedReadingInterval {
    SpeedReadingInterval(
      startPolylinePointIndex: start, endPolylinePointIndex: end, speed: speed)
  }
}
