import FleetEngineAPI
import WireProtobuf

/// A vehicle as the provider, the driver's app and the engine have set it.
struct StoredVehicle: Sendable, Equatable {
  /// A call copies one reference instead of all fields (docs/decisions/fleet/encoded-trip-parts.md).
  private final class Contents: Sendable {
    let vehicle: Vehicle
    let timetable: [TripWaypoint]

    init(_ vehicle: Vehicle) {
      self.vehicle = vehicle
      timetable = StoredVehicle.timetable(of: vehicle)
    }
  }

  private var contents: Contents

  init(_ vehicle: Vehicle) { contents = Contents(vehicle) }

  static func == (one: Self, other: Self) -> Bool {
    one.contents === other.contents || one.vehicle == other.vehicle
  }

  /// With its trips and all stops of them.
  var vehicle: Vehicle {
    _read { yield contents.vehicle }
    set { contents = Contents(newValue) }
  }

  /// The stops with the path, the distance and the time from the stop before, each as reported, or a straight line
  /// at a usual speed. The first one is reached along the route of the vehicle.
  var timetable: [TripWaypoint] { contents.timetable }

  private static func timetable(of vehicle: Vehicle) -> [TripWaypoint] {
    var stops = vehicle.waypoints
    guard !stops.isEmpty else { return [] }
    stops[0].distanceMeters = vehicle.remainingDistanceMeters ?? stops[0].distanceMeters
    stops[0].eta = vehicle.etaToFirstWaypoint ?? stops[0].eta
    for index in stops.indices.dropFirst() {
      let (before, this) = (stops[index - 1], stops[index])
      if this.pathToWaypoint.isEmpty, let start = before.location?.point,
        let end = this.location?.point
      {
        stops[index].pathToWaypoint = [start, end]
      }
      let meters =
        this.distanceMeters.map(Double.init) ?? length(of: stops[index].pathToWaypoint) ?? 0
      stops[index].distanceMeters = Int32(meters: meters)
      let duration = this.duration ?? WireDuration(.driving(meters))
      stops[index].duration = duration
      stops[index].eta = this.eta ?? before.eta.map { $0 + duration.duration }
    }
    return stops
  }

  /// The vehicle in a response, without the fields that are input only.
  func answer(at now: Timestamp) -> Vehicle {
    var vehicle = vehicle
    vehicle.currentRouteSegmentTraffic = nil
    vehicle.lastLocation = vehicle.lastLocation?.answered(at: now)
    return vehicle
  }

  /// Replaces the stops. A route to a stop that is no longer the first ends.
  mutating func setStops(_ stops: [TripWaypoint], at now: Timestamp) {
    guard stops != vehicle.waypoints else { return }
    var changed = vehicle
    let isSameRoute =
      stops.first.map { first in changed.waypoints.first?.isSameStop(as: first) ?? false } ?? false
    changed.waypoints = stops
    changed.waypointsVersion = now.after(changed.waypointsVersion)
    if !isSameRoute { changed.endRoute(at: now) }
    vehicle = changed
  }
}

extension Vehicle {
  fileprivate mutating func endRoute(at now: Timestamp) {
    if !currentRouteSegment.isEmpty {
      currentRouteSegmentVersion = now.after(currentRouteSegmentVersion)
    }
    currentRouteSegment = ""
    currentRouteSegmentEndPoint = nil
    currentRouteSegmentTraffic = nil
    remainingDistanceMeters = nil
    etaToFirstWaypoint = nil
  }
}
