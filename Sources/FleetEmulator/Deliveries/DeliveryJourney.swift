import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// The way of a delivery vehicle to each of its stops, from its last location, and when it arrives there.
struct DeliveryJourney {
  struct Leg {
    let stop: VehicleStop
    let path: [LatLng]
    var meters: Int32
    var duration: Duration
    var arrival = Timestamp()
  }

  private(set) var legs: [Leg] = []

  init(_ vehicle: StoredDeliveryVehicle, at now: Timestamp) {
    var free = now
    for segment in vehicle.vehicle.remainingVehicleJourneySegments {
      var leg: Leg
      if legs.isEmpty {
        leg = Self.firstLeg(segment, of: vehicle, at: now)
      } else {
        leg = Leg(segment)
        leg.arrival = free + leg.duration
      }
      legs.append(leg)
      free = max(now, leg.arrival + leg.stop.tasks.duration)
    }
  }

  private static func firstLeg(
    _ segment: VehicleJourneySegment, of stored: StoredDeliveryVehicle, at now: Timestamp
  ) -> Leg {
    let (vehicle, stop) = (stored.vehicle, segment.stop ?? VehicleStop())
    if stop.state == .arrived {
      return Leg(stop: stop, path: [], meters: 0, duration: .zero, arrival: stored.arrived ?? now)
    }
    guard let place = vehicle.lastLocation?.location else {
      var leg = Leg(segment)
      leg.arrival = now + leg.duration
      return leg
    }
    let route = stored.route
    let planned = segment.path.isEmpty ? [stop.place].compactMap(\.self) : segment.path
    let path = (route ?? planned).rest(from: place)
    var leg = Leg(
      stop: stop, path: path, meters: Int32(meters: length(of: path) ?? 0), duration: .zero)
    if route != nil, let meters = vehicle.remainingDistanceMeters { leg.meters = meters }
    leg.duration = .driving(Double(leg.meters))
    var start = vehicle.lastLocation?.serverTime
    if route != nil, let remaining = vehicle.remainingDuration {
      (leg.duration, start) = (remaining.duration, stored.durationReported)
    }
    // A vehicle that is late has not arrived.
    leg.arrival = max(now, (start ?? now) + leg.duration)
    return leg
  }

  /// Returns the index of the stop with a task.
  func index(of task: String) -> Int? {
    legs.firstIndex { $0.stop.tasks.contains { $0.taskId == task } }
  }

  /// The segments that a task shows, which have no stops (reference, `VehicleStop`).
  func segments(through index: Int) -> [VehicleJourneySegment] {
    legs[...index].map { leg in
      VehicleJourneySegment(
        drivingDistanceMeters: leg.meters, drivingDuration: WireDuration(leg.duration),
        path: leg.path)
    }
  }
}

extension DeliveryJourney.Leg {
  fileprivate init(_ segment: VehicleJourneySegment) {
    self.init(
      stop: segment.stop ?? VehicleStop(), path: segment.path,
      meters: segment.drivingDistanceMeters ?? 0,
      duration: segment.drivingDuration?.duration ?? .zero)
  }
}

extension Sequence<VehicleStop.TaskInfo> {
  /// The time that the tasks take.
  var duration: Duration { reduce(.zero) { $0 + ($1.taskDuration?.duration ?? .zero) } }
}
