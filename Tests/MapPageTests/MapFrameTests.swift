import MapPage
import Testing
import Tripwire
import WireProtobuf

@Suite struct MapFrameTests {
  private func json(_ facts: MapFacts) -> String {
    String(decoding: MapFrame(facts).json, as: UTF8.self)
  }

  @Test func frameWithoutATripHasItsError() {
    let failure = MapFacts.Failure(code: "UNAVAILABLE", message: "a \"b\"", since: 1.5)
    let expected = """
      {"features":[],"facts":{"staleAfter":15,"error":{"code":"UNAVAILABLE","message":"a \\"b\\"",\
      "since":1.5}}}
      """
    #expect(json(MapFacts(nil, updated: nil, staleAfter: 15, failure: failure)) == expected)
  }

  @Test func frameHasTheFactsOfTheTrip() throws {
    var trip = Trip()
    trip.tripStatus = .complete
    trip.vehicleId = "v1"
    trip.remainingDistanceMeters = 12
    trip.lastLocation = VehicleLocation(location: LatLng(latitude: 1, longitude: 2))
    trip.lastLocation?.updateTime = Timestamp(seconds: 1_795_253_400, nanos: 250_000_000)
    let text = json(MapFacts(trip, updated: 1_795_253_401.5))
    #expect(text.contains(#""status":"COMPLETE""#))
    #expect(text.contains(#""vehicle":"v1","locationTime":1795253400.25,"isOver":true"#))
    #expect(text.contains(#""updated":1795253401.5"#))
    #expect(text.contains(#""bounds":[2,1,2,1]"#))
    #expect(text.contains(#""geometry":{"type":"Point","coordinates":[2,1]}"#))
  }

  @Test func boundsContainStopsAndRoutesBeyondTheNextStop() {
    var trip = Trip()
    trip.tripStatus = .enrouteToPickup
    trip.lastLocation = VehicleLocation(location: LatLng(latitude: 1, longitude: 2))
    trip.pickupPoint = TerminalLocation(point: LatLng(latitude: 1, longitude: 3))
    trip.dropoffPoint = TerminalLocation(point: LatLng(latitude: 4, longitude: 3))
    var stop = TripWaypoint()
    stop.pathToWaypoint = [LatLng(latitude: 1, longitude: 3), LatLng(latitude: 0, longitude: 5)]
    trip.remainingWaypoints = [TripWaypoint(), stop]
    #expect(json(MapFacts(trip, updated: nil)).contains(#""bounds":[2,0,5,4]"#))
  }

  @Test func timesOutOfRangeAreOmitted() {
    var trip = Trip()
    trip.tripStatus = .enrouteToPickup
    trip.etaToFirstWaypoint = Timestamp(seconds: .min)
    trip.lastLocation = VehicleLocation(location: LatLng(latitude: 1, longitude: 2))
    trip.lastLocation?.updateTime = Timestamp(seconds: .max, nanos: .max)
    let text = json(MapFacts(trip, updated: nil))
    #expect(text.hasSuffix(#""facts":{"status":"ENROUTE_TO_PICKUP"}}"#))
  }

  @Test func unknownStatusIsItsNumber() {
    var trip = Trip()
    trip.tripStatus = TripStatus(rawValue: 99)
    #expect(json(MapFacts(trip, updated: nil)).contains(#""status":"99""#))
  }
}
