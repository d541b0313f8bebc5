import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// The way of a delivery vehicle to each of its stops, from its last location, and when it arrives there.
struct DeliveryJourney {
  struct Leg {
    let stop: VehicleStop
    let path: [LatLng]
    /// Nil for the first one, as long as the place of the vehicle is unknown.
    var meters: Int32?
    var duration: Duration?
    var arrival: Timestamp?
  }

  private(set) var legs: [Leg] = []

  init(_ vehicle: StoredDeliveryVehicle, at now: Timestamp) {
    var free: Timestamp?
    for segment in vehicle.vehicle.remainingVehicleJourneySegments {
      var leg: Leg
      if legs.isEmpty {
        leg = Self.firstLeg(segment, of: vehicle, at: now)
      } else {
        leg = Leg(segment)
        leg.arrival = leg.duration.flatMap { duration in free.map { $0 + duration } }
      }
      legs.append(leg)
      free = leg.arrival.map { max(now, $0 + leg.stop.tasks.duration) }
    }
  }

  private static func firstLeg(
    _ segment: VehicleJourneySegment, of stored: StoredDeliveryVehicle, at now: Timestamp
  ) -> Leg {
    let (vehicle, stop) = (stored.vehicle, segment.stop ?? VehicleStop())
    if stop.state == .arrived {
      return Leg(stop: stop, path: [], meters: 0, duration: .zero, arrival: stored.arrived ?? now)
    }
    let (place, route) = (vehicle.lastLocation?.location, stored.route)
    guard place != nil || route != nil else {
      var leg = Leg(segment)
      leg.arrival = leg.duration.map { now + $0 }
      return leg
    }
    let planned = segment.path.isEmpty ? [stop.place].compactMap(\.self) : segment.path
    let whole = route ?? planned
    let path = place.map { whole.rest(from: $0) } ?? whole
    let reported = route != nil ? vehicle.remainingDistanceMeters : nil
    let meters = reported ?? Int32(meters: length(of: path) ?? 0)
    var duration = Duration.driving(Double(meters))
    var start = vehicle.lastLocation?.serverTime
    if route != nil, let remaining = vehicle.remainingDuration {
      (duration, start) = (remaining.duration, stored.durationReported)
    }
    // A vehicle that is late has not arrived.
    let arrival = max(now, (start ?? now) + duration)
    return Leg(stop: stop, path: path, meters: meters, duration: duration, arrival: arrival)
  }

  /// Returns the index of the stop with a task.
  func index(of task: String) -> Int? {
    legs.firstIndex { $0.stop.tasks.contains { $0.taskId == task } }
  }

  /// The segments that a task shows, which have no stops (reference, `VehicleStop`).
  func segments(through index: Int) -> [VehicleJourneySegment] {
    legs[...index].map { leg in
      VehicleJourneySegment(
        drivingDistanceMeters: leg.meters, drivingDuration: leg.duration.map(WireDuration.init),
        path: leg.path)
    }
  }
}

extension DeliveryJourney.Leg {
  fileprivate init(_ segment: VehicleJourneySegment) {
    self.init(
      stop: segment.stop ?? VehicleStop(), path: segment.path,
      meters: segment.drivingDistanceMeters, duration: segment.drivingDuration?.duration)
  }
}

extension Sequence<VehicleStop.TaskInfo> {
  /// The time that the tasks take.
  var duration: Duration { reduce(.zero) { $0 + ($1.taskDuration?.duration ?? .zero) } }
}
