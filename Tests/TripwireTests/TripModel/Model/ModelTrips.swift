import FleetEngineAPI
import TestSupport
import WireProtobuf

/// A server with one trip that responds like Fleet Engine: it leaves out parts whose stamps the
/// request has.
struct ModelTrips {
  private(set) var trip = Trip()
  private var clock: Int64 = 1
  private var random: SplitMix
  /// Whether responses contain the stamps of the parts that they leave out.
  var includesStamps = true

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    trip.name = "providers/p/trips/t"
    change()
  }

  func response(to request: GetTripRequest) -> Trip {
    var response = trip
    if let stamp = request.currentRouteSegmentVersion, stamp == trip.currentRouteSegmentVersion {
      response.route = []
      response.currentRouteSegment = ""
      if !includesStamps { response.currentRouteSegmentVersion = nil }
    }
    if let stamp = request.currentRouteSegmentTrafficVersion,
      stamp == trip.currentRouteSegmentTrafficVersion
    {
      response.currentRouteSegmentTraffic = nil
      if !includesStamps { response.currentRouteSegmentTrafficVersion = nil }
    }
    if let stamp = request.remainingWaypointsRouteVersion,
      stamp == trip.remainingWaypointsRouteVersion
    {
      for index in response.remainingWaypoints.indices {
        response.remainingWaypoints[index].pathToWaypoint = []
        response.remainingWaypoints[index].encodedPathToWaypoint = ""
        response.remainingWaypoints[index].trafficToWaypoint = nil
      }
      if !includesStamps { response.remainingWaypointsRouteVersion = nil }
    }
    if let stamp = request.remainingWaypointsVersion, stamp == trip.remainingWaypointsVersion {
      response.remainingWaypoints = []
      if !includesStamps { response.remainingWaypointsVersion = nil }
    }
    return response
  }

  private mutating func below(_ bound: UInt64) -> Int { Int(random.next(upperBound: bound)) }

  private mutating func tick() -> Timestamp {
    clock += 1
    return Timestamp(seconds: clock, nanos: Int32(clock % 3))
  }

  private mutating func points() -> [LatLng] {
    (0..<below(4)).map { _ in
      LatLng(latitude: Double(below(90)), longitude: Double(below(90)))
    }
  }

  private mutating func traffic() -> ConsumableTrafficPolyline? {
    guard below(3) > 0 else { return nil }
    return ConsumableTrafficPolyline(encodedPathToWaypoint: "path\(below(9))")
  }

  /// Changes some parts of the trip and their stamps.
  mutating func change() {
    if below(3) == 0 {
      trip.route = points()
      trip.currentRouteSegment = trip.route.isEmpty ? "" : "s\(clock)"
      trip.currentRouteSegmentVersion = tick()
    }
    if below(3) == 0 {
      trip.currentRouteSegmentTraffic = traffic()
      trip.currentRouteSegmentTrafficVersion = tick()
    }
    if below(3) == 0 { changeWaypoints() }
    if below(4) == 0 {
      for index in trip.remainingWaypoints.indices { changePath(index) }
      trip.remainingWaypointsRouteVersion = tick()
    }
    if below(12) == 0 {
      trip.vehicleId = "v\(below(3))"
    }
    trip.etaToFirstWaypoint = below(4) == 0 ? nil : tick()
    trip.remainingDistanceMeters =
      below(4) == 0 ? nil : Int32(below(9))
    trip.lastLocationSnappable = below(2) == 0
  }

  /// Passes stops, adds some, or removes all.
  private mutating func changeWaypoints() {
    switch below(3) {
    case 0:
      if !trip.remainingWaypoints.isEmpty { trip.remainingWaypoints.removeFirst() }
    case 1:
      let stop = TripWaypoint(
        location: TerminalLocation(point: LatLng(latitude: Double(below(5)), longitude: 0)),
        tripId: "t\(below(2))")
      trip.remainingWaypoints.append(stop)
      changePath(trip.remainingWaypoints.count - 1)
      // A new stop has a new path.
      trip.remainingWaypointsRouteVersion = tick()
    default:
      trip.remainingWaypoints = []
    }
    for index in trip.remainingWaypoints.indices {
      trip.remainingWaypoints[index].eta = tick()
    }
    trip.remainingWaypointsVersion = tick()
  }

  private mutating func changePath(_ index: Int) {
    trip.remainingWaypoints[index].pathToWaypoint = points()
    trip.remainingWaypoints[index].trafficToWaypoint = traffic()
  }
}
