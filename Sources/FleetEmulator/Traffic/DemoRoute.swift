import FleetEngineAPI
import FleetEngineDeliveryAPI
import WireProtobuf

/// The journeys of a delivery vehicle of the demo, one after the other, each with six stops: the tasks d1-1, d1-2 and
/// so on for the vehicle d1. Deliveries and pickups have the tracking IDs track-d1-1 and so on. Each third task fails.
struct DemoRoute: Sendable {
  private static let types: [DeliveryTask.TypeEnum] = [
    .delivery, .pickup, .delivery, .unavailable, .scheduledStop,
  ]
  private static let stops = 6

  private let speedup: Double
  private let vehicle: String
  private var dice: Dice
  private var count = 0

  /// - Parameter speedup: the factor by which all is faster than usual.
  init(_ vehicle: String, speedup: Double) {
    self.vehicle = vehicle
    self.speedup = speedup
    dice = Dice(seed: vehicle)
  }

  /// The time between two journeys.
  var pause: Duration { .seconds(60) / speedup }

  func fails(_ task: String) -> Bool {
    task.hasPrefix("\(vehicle)-")
      && Int(task.dropFirst(vehicle.count + 1)).map { $0 % 3 == 0 } ?? false
  }

  /// Creates the tasks of the next journey, and assigns them.
  mutating func plan(
    from place: LatLng, of provider: String, at now: Timestamp, _ engine: inout FleetEngine
  ) {
    var last = place
    var segments: [VehicleJourneySegment] = []
    while engine[parent: provider].tasks["\(vehicle)-\(count + 1)"] != nil { count += 1 }
    for _ in 0..<Self.stops {
      let road = Road(from: last, to: dice.place, turnsNorthFirst: dice.isHeads)
      last = road.points.last ?? last
      let type = Self.types[count % Self.types.count]
      count += 1
      let id = "\(vehicle)-\(count)"
      let isTracked = type == .delivery || type == .pickup
      let task = DeliveryTask(
        type: type, state: .open, trackingId: isTracked ? "track-\(id)" : "",
        plannedLocation: LocationInfo(point: last),
        taskDuration: WireDuration(.seconds(30) / speedup),
        targetTimeWindow: TimeWindow(
          startTime: now + .seconds(-900), endTime: now + .seconds(2_700)))
      _ = try? engine.createTask(
        CreateTaskRequest(parent: provider, taskId: id, task: task), at: now)
      segments.append(
        VehicleJourneySegment(
          stop: VehicleStop(
            plannedLocation: LocationInfo(point: last), tasks: [.init(taskId: id)], state: .new),
          drivingDuration: WireDuration(.driving(road.length) / speedup), path: road.points))
    }
    _ = try? engine.updateDeliveryVehicle(
      UpdateDeliveryVehicleRequest(
        deliveryVehicle: DeliveryVehicle(
          name: "\(provider)/deliveryVehicles/\(vehicle)",
          remainingVehicleJourneySegments: segments),
        updateMask: ["remaining_vehicle_journey_segments"]), at: now)
  }
}
