import MapPage
import Testing
import Tripwire
import WireProtobuf

@Suite struct MapFrameTests {
  private func json(_ facts: MapFacts) -> String {
    String(decoding: MapFrame(facts).json, as: UTF8.self)
  }

  @Test func frameWithoutAResourceHasItsError() {
    let failure = MapFacts.Failure(code: "UNAVAILABLE", message: "a \"b\"", since: 1.5)
    let expected = """
      {"features":[],"facts":{"isStale":true,"error":{"code":"UNAVAILABLE","message":"a \\"b\\"",\
      "since":1.5}}}
      """
    #expect(json(MapFacts(nil, updated: nil, isStale: true, failure: failure)) == expected)
  }

  @Test func frameHasTheFactsOfTheTrip() throws {
    var trip = Trip(
      vehicleId: "v1", tripStatus: .complete, remainingDistanceMeters: 12,
      lastLocation: VehicleLocation(location: LatLng(latitude: 1, longitude: 2)))
    trip.lastLocation?.updateTime = Timestamp(seconds: 1_795_253_400, nanos: 250_000_000)
    let text = json(MapFacts(.trip(trip), updated: 1_795_253_401.5))
    #expect(text.contains(#""status":"COMPLETE""#))
    #expect(text.contains(#""vehicle":"v1","locationTime":1795253400.25,"isOver":true"#))
    #expect(text.contains(#""updated":1795253401.5"#))
    #expect(text.contains(#""bounds":[2,1,2,1]"#))
    #expect(text.contains(#""geometry":{"type":"Point","coordinates":[2,1]}"#))
  }

  @Test func boundsContainStopsAndRoutesBeyondTheNextStop() {
    var trip = Trip(
      tripStatus: .enrouteToPickup,
      pickupPoint: TerminalLocation(point: LatLng(latitude: 1, longitude: 3)),
      dropoffPoint: TerminalLocation(point: LatLng(latitude: 4, longitude: 3)),
      lastLocation: VehicleLocation(location: LatLng(latitude: 1, longitude: 2)))
    let stop = TripWaypoint(
      pathToWaypoint: [LatLng(latitude: 1, longitude: 3), LatLng(latitude: 0, longitude: 5)])
    trip.remainingWaypoints = [TripWaypoint(), stop]
    #expect(json(MapFacts(.trip(trip), updated: nil)).contains(#""bounds":[2,0,5,4]"#))
  }

  @Test func timesOutOfRangeAreOmitted() {
    var trip = Trip(
      tripStatus: .enrouteToPickup, etaToFirstWaypoint: Timestamp(seconds: .min),
      lastLocation: VehicleLocation(location: LatLng(latitude: 1, longitude: 2)))
    trip.lastLocation?.updateTime = Timestamp(seconds: .max, nanos: .max)
    let text = json(MapFacts(.trip(trip), updated: nil))
    #expect(text.hasSuffix(#""facts":{"kind":"trip","status":"ENROUTE_TO_PICKUP"}}"#))
  }

  @Test func unknownStatusIsItsNumber() {
    let trip = Trip(tripStatus: TripStatus(rawValue: 99))
    #expect(json(MapFacts(.trip(trip), updated: nil)).contains(#""status":"99""#))
  }

  @Test func vehicleHasItsStopsWithTheirTrips() throws {
    let vehicle = try Vehicle(
      jsonString: """
        {"vehicleState":"ONLINE","vehicleType":{"category":"TAXI"},"maximumCapacity":4,
         "currentTrips":["t1","\\u003cb>"],"navigationStatus":"ENROUTE_TO_DESTINATION",
         "etaToFirstWaypoint":"2026-11-21T09:30:00Z","remainingDistanceMeters":900,
         "waypoints":[{"waypointType":"PICKUP_WAYPOINT_TYPE","tripId":"t1","distanceMeters":2500,
           "eta":"2026-11-21T09:31:00Z"},
          {"waypointType":"DROP_OFF_WAYPOINT_TYPE","eta":"2026-11-21T09:40:00Z"}]}
        """)
    #expect(
      json(MapFacts(.vehicle(vehicle), updated: nil)).hasSuffix(
        #""facts":{"kind":"vehicle","status":"ONLINE","type":"TAXI","capacity":4,"#
          + #""navigation":"ENROUTE_TO_DESTINATION","trips":["t1","<b>"],"eta":1795253400,"distance":900,"#
          + #""stopCount":2,"stops":[{"type":"PICKUP_WAYPOINT_TYPE","trip":"t1","eta":1795253400,"distance":900},"#
          + #"{"type":"DROP_OFF_WAYPOINT_TYPE","eta":1795254000}]}}"#))
    var older = vehicle
    (older.etaToFirstWaypoint, older.remainingDistanceMeters) = (nil, nil)
    #expect(
      json(MapFacts(.vehicle(older), updated: nil)).contains(
        #""trip":"t1","eta":1795253460,"distance":2500}"#))
    #expect(
      json(MapFacts(.vehicle(Vehicle()), updated: nil)).hasSuffix(
        #""facts":{"kind":"vehicle","stopCount":0,"stops":[]}}"#))
  }

  @Test func deliveryVehicleHasTheTasksAndETAsOfItsStops() throws {
    let vehicle = try DeliveryVehicle(
      jsonString: """
        {"navigationStatus":"ENROUTE_TO_DESTINATION","type":"AUTO","remainingDistanceMeters":300,
         "remainingDuration":"20s",
         "remainingVehicleJourneySegments":[
          {"drivingDuration":"60s","drivingDistanceMeters":800,"stop":{"state":"ENROUTE",
           "tasks":[{"taskId":"a","taskDuration":"30s"},{"taskId":"b"}]}},
          {"drivingDuration":"10s"},{}]}
        """)
    var facts = MapFacts(.deliveryVehicle(vehicle), updated: 1_000)
    facts.delay = 100
    #expect(
      json(facts).hasSuffix(
        #""facts":{"kind":"deliveryVehicle","type":"AUTO","navigation":"ENROUTE_TO_DESTINATION","eta":920,"#
          + #""distance":300,"stopCount":3,"stops":[{"state":"ENROUTE","tasks":["a","b"],"eta":920,"#
          + #""distance":300},{"eta":960},{}],"updated":1000,"delay":100}}"#))
    // Without a time, there is no ETA.
    #expect(!json(MapFacts(.deliveryVehicle(vehicle), updated: nil)).contains("eta"))
  }

  @Test func taskHasItsWindowAndOutcome() throws {
    var task = try DeliveryTask(
      jsonString: """
        {"type":"DELIVERY","state":"OPEN","deliveryVehicleId":"d1","trackingId":"s1",
         "targetTimeWindow":{"startTime":"2026-11-21T09:00:00Z","endTime":"2026-11-21T10:00:00Z"},
         "journeySharingInfo":{"remainingVehicleJourneySegments":[
          {"drivingDuration":"60s"},{"drivingDuration":"40s"}]}}
        """)
    #expect(
      json(MapFacts(.task(task), updated: 1_000)).hasSuffix(
        #""facts":{"kind":"task","status":"OPEN","type":"DELIVERY","windowStart":1795251600,"#
          + #""windowEnd":1795255200,"eta":1100,"stopCount":2,"vehicle":"d1","shipment":"s1","#
          + #""updated":1000}}"#))
    task.state = .closed
    task.taskOutcome = .failed
    task.taskOutcomeTime = Timestamp(seconds: 1_000)
    let text = json(MapFacts(.task(task), updated: 1_000))
    #expect(
      text.contains(#""status":"CLOSED","outcome":"FAILED","outcomeTime":1000,"type":"DELIVERY""#))
    #expect(text.contains(#""isOver":true"#))
    #expect(!text.contains("eta"))
  }

  @Test func shipmentHasWhatItsRecipientMaySee() throws {
    let info = try TaskTrackingInfo(
      jsonString: """
        {"state":"OPEN","estimatedArrivalTime":"2026-11-21T09:30:00Z","remainingStopCount":3,
         "remainingDrivingDistanceMeters":0}
        """)
    #expect(
      json(MapFacts(.taskTrackingInfo(info), updated: nil)).hasSuffix(
        #""facts":{"kind":"taskTrackingInfo","status":"OPEN","eta":1795253400,"distance":0,"#
          + #""stopCount":3}}"#))
  }
}
