import FleetEngineAPI
import FleetEngineDeliveryAPI
import Testing
import WireProtobuf

@testable import FleetEmulator

@Suite struct DeliveryDriverTests {
  private static let start = Timestamp(seconds: 1_800_000_000, nanos: 0)
  private static let vehicle = "providers/p/deliveryVehicles/d1"

  private var engine = FleetEngine()
  private var traffic = Traffic()

  init() {
    var demo = Traffic.Demo()
    demo.vehicles = 1
    demo.provider = "providers/p"
    traffic.add(demo, at: Self.start, &engine)
  }

  private mutating func advance(to seconds: Double, by step: Double) {
    var now = Self.start
    while now < Self.start + .seconds(seconds) {
      now = now + .seconds(step)
      traffic.advance(to: now, &engine)
    }
  }

  private var tasks: [String: DeliveryTask] {
    engine[parent: "providers/p"].tasks.resources.mapValues(\.task)
  }

  private func vehicle(at seconds: Double) throws -> DeliveryVehicle {
    try engine.getDeliveryVehicle(
      GetDeliveryVehicleRequest(name: Self.vehicle), at: Self.start + .seconds(seconds))
  }

  @Test mutating func tasksOfTheDemoAreCarriedOut() throws {
    #expect(try vehicle(at: 0).remainingVehicleJourneySegments.count == 6)
    #expect(try vehicle(at: 0).navigationStatus == .enrouteToDestination)
    advance(to: 2 * 3_600, by: 2)
    let first = tasks.filter { ["d1-1", "d1-2", "d1-3"].contains($0.key) }
    #expect(first.mapValues(\.state) == ["d1-1": .closed, "d1-2": .closed, "d1-3": .closed])
    #expect(
      first.mapValues(\.taskOutcome) == [
        "d1-1": .succeeded, "d1-2": .succeeded, "d1-3": .failed,
      ])
    // Another journey has begun.
    #expect(tasks["d1-7"] != nil)
  }

  @Test mutating func theStateDependsOnTheTimeOnly() {
    var other = self
    advance(to: 2_000, by: 2_000)
    other.advance(to: 2_000, by: 2.5)
    #expect(tasks.mapValues(\.taskOutcomeTime) == other.tasks.mapValues(\.taskOutcomeTime))
  }

  @Test mutating func aVehicleThatArrivesHasNothingLeft() throws {
    let arrival = try #require(try vehicle(at: 0).remainingDuration).duration / .seconds(1)
    advance(to: arrival.rounded(.up), by: 1)
    let there = try vehicle(at: arrival)
    #expect(there.navigationStatus == .arrivedAtDestination)
    #expect(there.remainingVehicleJourneySegments.first?.stop?.state == .arrived)
    #expect(there.remainingDistanceMeters == 0)
  }

  @Test mutating func aChangedJourneyIsDriven() throws {
    advance(to: 10, by: 2)
    let segments = Array(try vehicle(at: 10).remainingVehicleJourneySegments.reversed())
    _ = try engine.updateDeliveryVehicle(
      UpdateDeliveryVehicleRequest(
        deliveryVehicle: DeliveryVehicle(
          name: Self.vehicle, remainingVehicleJourneySegments: segments),
        updateMask: ["remaining_vehicle_journey_segments"]), at: Self.start + .seconds(10))
    traffic.advance(to: Self.start + .seconds(3_600), &engine)
    #expect(tasks["d1-6"]?.taskOutcome == .failed)
    #expect(tasks["d1-6"]?.state == .closed)
  }

  @Test func aJourneyIsDrivenByOrder() throws {
    var state = EmulatedFleet.State(engine: engine)
    var request = DriveVehicleRequest(name: Self.vehicle, speed: 80)
    let end = try state.drive(DriveOrder(request), at: Self.start)
    state.traffic.advance(to: end, &state.engine)
    let vehicle = state.engine[parent: "providers/p"].deliveryVehicles["d1"]?.vehicle
    #expect(vehicle?.remainingVehicleJourneySegments.isEmpty == true)
    request.points = [LatLng(latitude: 1, longitude: 2)]
    #expect(throws: EngineError.self) { try DriveOrder(request) }
    request = DriveVehicleRequest(name: "providers/p/deliveryVehicles/none")
    #expect(throws: EngineError.self) {
      try state.drive(DriveOrder(request), at: Self.start)
    }
  }
}
