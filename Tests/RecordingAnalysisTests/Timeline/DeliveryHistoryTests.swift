import Testing
import Tripwire
import WireProtobuf

@testable import RecordingAnalysis

@Suite struct DeliveryHistoryTests {
  private static func time(_ seconds: Int64) -> Timestamp {
    Timestamp(seconds: 1_795_253_400 + seconds)
  }

  private static func segment(_ tasks: String..., at state: VehicleStop.State)
    -> VehicleJourneySegment
  {
    let segment = VehicleJourneySegment(
      stop: VehicleStop(tasks: tasks.map { VehicleStop.TaskInfo(taskId: $0) }, state: state))
    return segment
  }

  /// The kinds of the events, without the gaps between responses and the findings of checks.
  private static func kinds(_ events: [TimelineEvent]) -> [String] {
    events.compactMap { event in
      switch event {
      case .changed, .gap, .gaps, .check: nil
      case .status(let value, _): "status \(value.name ?? "")"
      case .navigation(let value, _): "navigation \(value.name ?? "")"
      case .outcome(let value, _, _): "outcome \(value.name ?? "")"
      case .vehicle(let id): "vehicle \(id)"
      case .stops(let count, _): "stops \(count ?? -1)"
      case .eta(let change): "eta \(change.delay ?? 0)"
      case .window: "window"
      case .trips(let ids): "trips \(ids)"
      case .outdatedResponse: "outdated"
      case .locationStale: "stale"
      default: "other"
      }
    }
  }

  @Test func reportsTheRouteOfADeliveryVehicle() {
    let history = ResourceHistory()
    var vehicle = DeliveryVehicle()
    func receive(
      at second: Int64, _ request: ResourceRequest = .whole,
      _ change: (inout DeliveryVehicle) -> Void
    ) -> [String] {
      change(&vehicle)
      return Self.kinds(
        history.receive(.deliveryVehicle(vehicle), to: request, at: Self.time(second), sent: nil))
    }
    #expect(
      receive(at: 0) {
        $0.navigationStatus = .enrouteToDestination
        $0.remainingDuration = WireDuration(seconds: 300)
        $0.remainingVehicleJourneySegments = [
          Self.segment("a", at: .enroute), Self.segment("b", at: .new),
        ]
      } == ["navigation ENROUTE_TO_DESTINATION", "stops 2", "eta 0"])
    // The same ETA, and one that is 20 s later.
    #expect(receive(at: 100) { $0.remainingDuration = WireDuration(seconds: 220) } == [])
    #expect(receive(at: 100) { $0.remainingDuration = WireDuration(seconds: 260) } == ["eta 60"])
    // While it stands, there is no ETA.
    #expect(
      receive(at: 400) {
        $0.remainingDuration = WireDuration()
        $0.remainingVehicleJourneySegments[0] = Self.segment("a", at: .arrived)
      } == ["stops 2"])
    // ListDeliveryVehicles leaves the stops out.
    let stops = vehicle.remainingVehicleJourneySegments
    #expect(receive(at: 401, .list) { $0.remainingVehicleJourneySegments = [] } == [])
    #expect(receive(at: 402) { $0.remainingVehicleJourneySegments = stops } == [])
    #expect(
      receive(at: 600) {
        $0.remainingVehicleJourneySegments.removeFirst()
        $0.remainingDuration = WireDuration(seconds: 60)
      } == ["stops 1", "eta 0"])
    // After the last stop, the remaining duration is not that to a stop.
    #expect(
      receive(at: 700) {
        $0.remainingVehicleJourneySegments = []
        $0.remainingDuration = WireDuration(seconds: 90)
      } == ["stops 0", "eta 0"])
    #expect(receive(at: 900) { _ in } == [])
  }

  @Test func reportsTheOutcomeOfATask() {
    let history = ResourceHistory()
    var task = DeliveryTask(state: .open)
    func receive(_ change: (inout DeliveryTask) -> Void) -> [String] {
      change(&task)
      return Self.kinds(history.receive(.task(task), to: .whole, at: Self.time(0), sent: nil))
    }
    #expect(
      receive { $0.targetTimeWindow = TimeWindow(startTime: Self.time(9)) } == [
        "status OPEN", "window",
      ])
    #expect(receive { $0.deliveryVehicleId = "v1" } == ["vehicle v1"])
    #expect(receive { _ in } == [])
    #expect(receive { $0.taskOutcome = .failed } == ["outcome FAILED"])
    #expect(receive { $0.state = .closed } == ["status CLOSED"])
  }

  @Test func reportsAShipmentWhoseLocationIsOld() {
    let history = ResourceHistory()
    let info = TaskTrackingInfo(
      vehicleLocation: DeliveryVehicleLocation(location: LatLng(latitude: 1, longitude: 2)),
      remainingStopCount: 2, estimatedArrivalTime: Self.time(600), state: .open)
    var events: [String] = []
    for second in [0, 20, 40] as [Int64] {
      events += Self.kinds(
        history.receive(.taskTrackingInfo(info), to: .whole, at: Self.time(second), sent: nil))
    }
    #expect(events == ["status OPEN", "stops 2", "eta 0", "stale"])
  }

  /// A vehicle of trips has version stamps, as a trip has.
  @Test func mergesAVehicleOfTrips() {
    let history = ResourceHistory()
    var vehicle = Vehicle(
      vehicleState: .online, currentTrips: ["t1"],
      waypoints: [TripWaypoint(tripId: "t1", waypointType: .pickup)], waypointsVersion: Self.time(1)
    )
    var request = GetVehicleRequest()
    func receive() -> [String] {
      Self.kinds(history.receive(.vehicle(vehicle), to: .vehicle(request), at: nil, sent: nil))
    }
    #expect(receive() == ["status ONLINE", #"trips ["t1"]"#, "stops 1"])
    request.waypointsVersion = Self.time(1)
    vehicle.waypoints = []
    #expect(receive() == [])
    vehicle.waypointsVersion = Self.time(0)
    #expect(receive() == ["outdated"])
  }
}
