import Testing
import WireGRPC

@testable import CommandResources
@testable import CommandShell
@testable import Tripwire

@Suite struct ResourceSummaryTests {
  private let clock = TestConsole.clock

  private func summary(_ resource: FleetResource) -> [String?] {
    let summary = ResourceSummary(resource, TripFormatter(clock: clock))
    return [summary.status, summary.eta, summary.distance, summary.stop]
  }

  @Test func tripHasNoETAOfAnotherRidersStop() {
    let eta = Timestamp(seconds: clock.now + 60)
    let trip = Trip(
      name: "providers/p/trips/t1", tripStatus: .new,
      remainingWaypoints: [TripWaypoint(tripId: "t2", waypointType: .pickup, eta: eta)])
    #expect(summary(.trip(trip)) == ["new", nil, nil, nil])
  }

  @Test func vehiclesWithoutStopsHaveNoETA() {
    let vehicle = Vehicle(
      vehicleState: .online, etaToFirstWaypoint: Timestamp(seconds: clock.now + 60))
    #expect(summary(.vehicle(vehicle)) == ["online", nil, nil, "0 stops left"])
    let van = DeliveryVehicle(
      navigationStatus: .enrouteToDestination, remainingDuration: WireDuration(seconds: 60))
    #expect(
      summary(.deliveryVehicle(van)) == ["enroute to destination", nil, nil, "0 stops left"])
  }

  @Test func deliveryVehicleHasThePlannedETAUntilItsOwnIsKnown() {
    var van = DeliveryVehicle(
      remainingVehicleJourneySegments: [
        VehicleJourneySegment(drivingDuration: WireDuration(seconds: 60))
      ])
    #expect(summary(.deliveryVehicle(van))[1] == "09:31:00 (in 1 min)")
    #expect(van.facts(at: Timestamp(seconds: clock.now)).eta == nil)
    van.remainingDuration = WireDuration(seconds: 120)
    #expect(summary(.deliveryVehicle(van))[1] == "09:32:00 (in 2 min)")
  }
}
