import Recording
import Testing
import Tripwire
import WireProtobuf

@testable import CommandShell
@testable import RecordingAnalysis

@Suite struct CloudLogTests {
  private static func log(_ text: String) throws -> CloudLog {
    try CloudLog(Array(text.utf8), MessageTypes(pool: EmbeddedSchema.pool([])))
  }

  private static func entry(
    _ method: String, _ payload: String, time: Int = 0, id: String = "i", suffix: String = "Log",
    labels: String = "{}"
  ) -> String {
    """
    {"insertId":"\(id)","jsonPayload":{"@type":"type.googleapis.com/maps.fleetengine.v1.\(method)\(suffix)",\
    \(payload)},"labels":\(labels),\
    "logName":"projects/p/logs/fleetengine.googleapis.com%2Fx","timestamp":"2026-11-21T09:30:0\(time)Z"}
    """
  }

  private static func messages(_ log: CloudLog, _ type: BinlogGrpcLogEntry.EventType) -> [[UInt8]] {
    log.entries.compactMap { entry in
      guard entry.type == type, case .message(let message) = entry.payload else { return nil }
      return message.data
    }
  }

  private static func trips(_ log: CloudLog) throws -> [Trip] {
    try messages(log, .serverMessage).map { try Trip(serializedBytes: $0) }
  }

  @Test func makesTheEntriesOfACall() throws {
    let log = try Self.log(
      Self.entry(
        "GetTrip", #""request":{"tripId":"t1"},"response":{"name":"providers/p/trips/t1"}"#))
    #expect(
      log.entries.map(\.type) == [.clientHeader, .clientMessage, .serverMessage, .serverTrailer])
    #expect(log.entries.allSatisfy { $0.logger == .server && $0.callId == 1 })
    #expect(log.entries.map(\.sequenceIdWithinCall) == [1, 2, 3, 4])
    #expect(log.entries.allSatisfy { $0.timestamp == Timestamp(seconds: 1_795_253_400) })
    guard case .clientHeader(let header)? = log.entries.first?.payload else {
      Issue.record("no header")
      return
    }
    #expect(header.methodName == "/maps.fleetengine.v1.TripService/GetTrip")
    let request = try GetTripRequest(serializedBytes: Self.messages(log, .clientMessage)[0])
    #expect(request.name == "providers/p/trips/t1")
    #expect(log.unknownFieldCount == 0)
  }

  /// The names of today, and those of older data sets.
  @Test(arguments: [
    #"{"name":"n","status":"TRIP_STATUS_ENROUTE_TO_PICKUP","tripType":"EXCLUSIVE_TRIP","lastLocation":"#
      + #"{"locSensor":"LOCATION_SENSOR_ROAD_SNAPPED_LOCATION_PROVIDER","heading":7},"remainingWaypoints":"#
      + #"[{"type":"WAYPOINT_TYPE_PICKUP","tripId":"t1"}]}"#,
    #"{"name":"n","status":"TRIP_STATUS_ENROUTE_TO_PICKUP","triptype":"EXCLUSIVE_TRIP","lastlocation":"#
      + #"{"locsensor":"LOCATION_SENSOR_ROAD_SNAPPED_LOCATION_PROVIDER","heading":{"value":7}},"#
      + #""remainingwaypoints":[{"type":"WAYPOINT_TYPE_PICKUP","tripid":"t1"}],"vehicleid":null}"#,
    #"{"name":"n","trip_status":"ENROUTE_TO_PICKUP","trip_type":"EXCLUSIVE","last_location":"#
      + #"{"location_sensor":"ROAD_SNAPPED_LOCATION_PROVIDER","heading":"7"},"remaining_waypoints":"#
      + #"[{"waypoint_type":"PICKUP_WAYPOINT_TYPE","trip_id":"t1"}]}"#,
  ])
  func acceptsTheNamesOfTheLogs(trip: String) throws {
    let log = try Self.log(Self.entry("UpdateTrip", "\"response\":" + trip))
    let trip = try #require(try Self.trips(log).first)
    #expect(trip.name == "n")
    #expect(trip.tripStatus == .enrouteToPickup)
    #expect(trip.tripType == .exclusive)
    #expect(trip.lastLocation?.locationSensor == .roadSnappedLocationProvider)
    #expect(trip.lastLocation?.heading == 7)
    #expect(trip.remainingWaypoints.map(\.waypointType) == [.pickup])
    #expect(trip.remainingWaypoints.map(\.tripId) == ["t1"])
    #expect(log.unknownFieldCount == 0)
  }

  @Test func acceptsTheNamesOfVehicles() throws {
    let log = try Self.log(
      Self.entry(
        "UpdateVehicle",
        #""request":{"vehicleId":"v1","updateMask":"vehicleState,lastLocation"},"response":"#
          + #"{"name":"providers/p/vehicles/v1","state":"VEHICLE_STATE_ONLINE","supportedTrips":"#
          + #"["EXCLUSIVE_TRIP","SHARED_TRIP"],"vehicleType":{"vehicleCategory":"AUTO"},"navStatus":"#
          + #""NAVIGATION_STATUS_NO_GUIDANCE","deviceSettings":{"locationPowerSaveMode":"#
          + #""LOCATION_POWER_SAVE_MODE_LOG_NO_CHANGE","batteryInfo":{"batteryStatus":"#
          + #""BATTERY_STATUS_LOG_DISCHARGING"}}}"#))
    let vehicle = try Vehicle(serializedBytes: Self.messages(log, .serverMessage)[0])
    #expect(vehicle.vehicleState == .online)
    #expect(vehicle.supportedTripTypes == [.exclusive, .shared])
    #expect(vehicle.vehicleType?.category == .auto)
    #expect(vehicle.navigationStatus == .noGuidance)
    #expect(vehicle.deviceSettings?.locationPowerSaveMode == .locationModeNoChange)
    #expect(vehicle.deviceSettings?.batteryInfo?.batteryStatus == .discharging)
    let request = try UpdateVehicleRequest(serializedBytes: Self.messages(log, .clientMessage)[0])
    #expect(request.name == "providers/p/vehicles/v1")
    #expect(request.updateMask?.paths == ["vehicle_state", "last_location"])
    #expect(log.unknownFieldCount == 0)
  }

  @Test func countsUnknownFieldsAndValues() throws {
    let log = try Self.log(
      Self.entry(
        "UpdateTrip", #""response":{"name":"n","pointHandle":"x","status":"TRIP_STATUS_FLYING"}"#))
    #expect(log.unknownFieldCount == 2)
    #expect(Set(log.unknownFields) == ["pointHandle", "TRIP_STATUS_FLYING"])
  }

  @Test func hasTheErrorsOfCalls() throws {
    let entries = [
      #""errorResponse":{"httpStatusCode":404,"code":"NOT_FOUND","message":"no t1"}"#,
      #""errorresponse":{"code":7}"#, #""errorResponse":{"code":1e300}"#,
      #""errorResponse":{"message":"away"}"#,
    ].map { Self.entry("UpdateTrip", #""request":{"tripId":"t1"},"# + $0) }
    let log = try Self.log(entries.joined(separator: "\n"))
    let trailers = log.entries.compactMap { entry -> String? in
      guard case .trailer(let trailer) = entry.payload else { return nil }
      return "\(trailer.statusCode) \(trailer.statusMessage)"
    }
    #expect(trailers == ["5 no t1", "7 ", "2 ", "2 away"])
    let request = try UpdateTripRequest(serializedBytes: Self.messages(log, .clientMessage)[0])
    #expect(request.name == "providers/p/trips/t1")
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
  func sortsByTime(times: [Int]) throws {
    let entries = times.map {
      Self.entry("UpdateTrip", #""response":{"name":"t\#($0)"}"#, time: $0)
    }
    let log = try Self.log("[" + entries.joined(separator: ",") + "]")
    #expect(try Self.trips(log).map(\.name) == ["t0", "t1", "t2"])
  }

  /// Newest first, with equal times.
  @Test func reversesEntriesOfTheSameTime() throws {
    let entries = [(1, "c"), (0, "b"), (0, "a")].map {
      Self.entry("UpdateTrip", #""response":{"name":"\#($0.1)"}"#, time: $0.0)
    }
    #expect(try Self.trips(Self.log(entries.joined())).map(\.name) == ["a", "b", "c"])
  }

  @Test func readsPayloadsWithoutEntries() throws {
    let payloads = """
      [{"@type":"type.googleapis.com/maps.fleetengine.v1.GetTripLog","timestamp":"2026-11-21T09:30:00Z",
        "response":{"name":"providers/p/trips/t1"}},
       {"servertime":"2026-11-21T09:30:01Z","updateTrip":{"response":{"name":"providers/p/trips/t2"}}}]
      """
    let log = try Self.log(payloads)
    #expect(
      try Self.trips(log).map(\.name) == ["providers/p/trips/t1", "providers/p/trips/t2"])
  }

  /// Google logs the route and places of a call in an entry of its own.
  @Test(arguments: ["Log", "RestrictedLog", "LogRestricted"])
  func mergesTheRestrictedPartOfACall(suffix: String) throws {
    let restricted = Self.entry(
      "UpdateTrip",
      #""parentInsertId":"a","response":{"currentRouteSegment":"_p~iF~ps|U","pickupPoint":{"point":"#
        + #"{"latitude":1}}}"#, id: "b", suffix: suffix)
    let log = try Self.log(
      restricted + Self.entry("UpdateTrip", #""response":{"name":"n"}"#, id: "a"))
    let trips = try Self.trips(log)
    #expect(trips.map(\.name) == ["n"])
    #expect(trips.map(\.currentRouteSegment) == ["_p~iF~ps|U"])
    #expect(trips.map(\.pickupPoint?.point?.latitude) == [1])
  }

  @Test func warnsOfEntriesThatAreNoCalls() throws {
    let good = Self.entry("UpdateTrip", #""response":{"name":"n"}"#)
    let log = try Self.log(
      [
        good, Self.entry("UpdateThing", #""response":{}"#),
        good.replacing("2026-11-21T09:30:00Z", with: "yesterday"), #"{"a":01}"#,
      ].joined(separator: "\n"))
    #expect(log.entries.count == 4)
    #expect(log.omittedCount == 3)
    #expect(
      log.warnings == [
        "entry 2: type.googleapis.com/maps.fleetengine.v1.UpdateThingLog"
          + " is not a trip or vehicle method of Fleet Engine",
        "entry 3: timestamp: expected a time such as 2026-11-21T10:00:00Z",
        "entry 4: invalid JSON: malformed number (line 1 of the entry)",
      ])
  }

  @Test func fieldThatCannotBeReadCostsOnlyItself() throws {
    let log = try Self.log(
      Self.entry(
        "UpdateTrip",
        #""request":{"tripId":"t1","updateMask":7},"response":{"name":"n","numberOfPassengers":"two","#
          + #""remainingWaypoints":[{"tripId":"a","location":{"point":3}},4,{"tripId":"b"}]}"#))
    let trip = try #require(try Self.trips(log).first)
    #expect((trip.name, trip.numberOfPassengers) == ("n", 0))
    #expect(trip.remainingWaypoints.map(\.tripId) == ["a", "b"])
    #expect(trip.remainingWaypoints.first?.location == TerminalLocation())
    let request = try UpdateTripRequest(serializedBytes: Self.messages(log, .clientMessage)[0])
    #expect((request.name, request.updateMask) == ("n", nil))
    #expect((log.omittedCount, log.unreadableFieldCount) == (0, 4))
    #expect(
      Set(log.fieldWarnings) == [
        "field of entry 1: request: UpdateTripRequest.update_mask: expected lowerCamelCase paths"
          + " separated by commas, such as \"id,tripStatus\"",
        "field of entry 1: response: Trip.number_of_passengers: malformed number",
        "field of entry 1: response: Trip.remaining_waypoints[0].location.point:"
          + " expected a JSON object that begins with {",
        "field of entry 1: response: Trip.remaining_waypoints[1]:"
          + " expected a JSON object that begins with {",
      ])
  }

  @Test func countsMoreFieldsThanItNames() throws {
    let entry = Self.entry("UpdateTrip", #""response":{"name":"n","numberOfPassengers":"two"}"#)
    let log = try Self.log([String](repeating: entry, count: 12).joined())
    #expect((log.fieldWarnings.count, log.unreadableFieldCount) == (10, 12))
    #expect(try Self.trips(log).map(\.name) == [String](repeating: "n", count: 12))
  }

  @Test(arguments: [
    #""vehicle_state,last_location""#, #""vehicleState,lastLocation""#,
    #"{"paths":["vehicle_state","last_location"]}"#, #"{"value":"vehicle_state,lastLocation"}"#,
  ])
  func acceptsFieldMasksInBothForms(mask: String) throws {
    let log = try Self.log(
      Self.entry("UpdateVehicle", #""request":{"vehicleId":"v1","updateMask":\#(mask)}"#))
    let request = try UpdateVehicleRequest(serializedBytes: Self.messages(log, .clientMessage)[0])
    #expect(request.updateMask?.paths == ["vehicle_state", "last_location"])
    #expect((log.omittedCount, log.unreadableFieldCount) == (0, 0))
  }

  /// The two APIs have logs of the same kind.
  @Test func countsDeliveriesApart() throws {
    let typed = [
      Self.entry("UpdateDeliveryVehicle", #""response":{}"#),
      Self.entry("BatchCreateTasks", #""response":{}"#, suffix: "RestrictedLog"),
    ]
    let untyped = [
      #"{"servertime":"2026-11-21T09:30:01Z","updatetask":{"response":{"name":"n"}}}"#,
      #"{"servertime":"2026-11-21T09:30:01Z","createDeliveryVehicle":{"request":{}}}"#,
    ]
    let deliveries =
      typed + untyped + typed.map { $0.replacing("engine.v1", with: "engine.delivery.v1") }
    let call = Self.entry("UpdateTrip", #""response":{"name":"n"}"#)
    let log = try Self.log((deliveries + [call]).joined(separator: "\n"))
    #expect((log.entries.count, log.deliveryCount, log.omittedCount) == (4, 6, 0))
    let error = #expect(throws: CloudLogError.self) { try Self.log(deliveries.joined()) }
    #expect(
      error?.description
        == "the file has only deliveries (maps.fleetengine.delivery.v1), which are not supported")
  }

  @Test(arguments: [
    ("[]", "the file has no log entries"),
    (#"{"a":1}"#, "entry 1: no @type and no request: not a Fleet Engine log entry"),
    (
      #"{"jsonPayload":{"request":{"tripId":"t1"}}}"#,
      "entry 1: no @type in jsonPayload: not a Fleet Engine log entry"
    ),
    (
      #"{"jsonPayload":{"response":{}}}"#,
      "entry 1: no @type in jsonPayload: not a Fleet Engine log entry"
    ),
    ("[1]", "1:2: entry 1 is not an object"),
  ])
  func rejectsAFileWithoutCalls(text: String, error: String) {
    let found = #expect(throws: CloudLogError.self) { try Self.log(text) }
    #expect(found?.description == error)
  }

  @Test func skipsLongEntries() throws {
    let long = String(repeating: "x", count: 4 << 20)
    let log = try Self.log(
      Self.entry("UpdateTrip", #""response":{"name":"n"}"#)
        + Self.entry("UpdateTrip", #""response":{"name":"\#(long)"}"#))
    #expect(log.warnings == ["entry 2: longer than 4 MiB"])
  }

  @Test func limitsTheNumberOfEntries() throws {
    let text = "[" + String(repeating: "{},", count: 200_001) + "]"
    let found = #expect(throws: CloudLogError.self) { try Self.log(text) }
    #expect(
      found?.description.hasSuffix(
        "more than 200000 entries; export the logs of a shorter time range") == true)
  }

  // MARK: Timeline

  private static func items(_ entries: [String], _ wanted: String?) throws -> [ResourceTimeline
    .Item]
  {
    let types = MessageTypes(pool: try EmbeddedSchema.pool([]))
    let zone = LocalTime(now: 0) { _ in 0 }
    let timeline = ResourceTimeline(
      types, of: wanted.map(ResourceSelector.init(trip:)),
      in: LogInterval(since: nil, until: nil, zone))
    var calls = CallNumbers()
    var items: [ResourceTimeline.Item] = []
    for entry in try log(entries.joined()).entries {
      items += timeline.add(LoggedEntry(entry, of: calls.call(of: entry)))
    }
    return items + timeline.end()
  }

  /// The vehicle's location belongs to each of its trips, and keeps their status.
  @Test func theTimelineHasTheUpdatesOfTheVehicle() throws {
    let entries = [
      Self.entry(
        "CreateTrip", #""response":{"name":"providers/p/trips/t1","status":"TRIP_STATUS_NEW"}"#),
      Self.entry(
        "UpdateVehicle",
        #""response":{"name":"providers/p/vehicles/v1","currentTrips":["t1","t2"],"lastLocation":"#
          + #"{"rawLocation":{"latitude":1}}}"#, time: 5),
    ]
    let items = try Self.items(entries, nil)
    let changes = items.compactMap { item -> String? in
      guard case .changed(let fields) = item.event else { return nil }
      return "\(item.resource.name) \(item.call ?? 0) \(fields)"
    }
    #expect(
      changes == [
        #"providers/p/trips/t1 1 ["name", "tripStatus"]"#,
        #"providers/p/trips/t1 2 ["vehicleId", "lastLocation"]"#,
        #"providers/p/trips/t2 2 ["name", "vehicleId", "lastLocation"]"#,
        #"providers/p/vehicles/v1 2 ["name", "currentTrips", "lastLocation"]"#,
      ])
    #expect(try Self.items(entries, "t2").allSatisfy { $0.resource.name.hasSuffix("t2") })
  }

  private static let places =
    #""name":"providers/p/trips/t1","pickupPoint":{"point":{"latitude":1.00000004}},"dropoffPoint":"#
    + #"{"point":{"latitude":2}}"#

  /// - Parameter trip: members of a trip.
  private static func update(_ status: String, _ trip: String, at time: Int) -> String {
    entry(
      "UpdateTrip", #""response":{\#(places),"status":"TRIP_STATUS_\#(status)"\#(trip)}"#,
      time: time)
  }

  private static func eta(_ second: Int) -> String {
    #","etaToFirstWaypoint":"2026-11-21T09:30:0\#(second)Z""#
  }

  /// The arrivals, "pickup 1.0 s".
  private static func arrivals(_ entries: [String]) throws -> [String] {
    try items(entries, "t1").compactMap { item in
      guard case .check(let finding) = item.event, case .arrival(let arrival) = finding.detail
      else { return nil }
      return "\(arrival.stop) \(arrival.delay / .seconds(1)) s"
    }
  }

  @Test func comparesTheETAsOfStopsWithoutATripAndAType() throws {
    let stops = [1, 2].map { #"{"location":{"point":{"latitude":\#($0)}}}"# }
    let both = #","remainingWaypoints":[\#(stops.joined(separator: ","))]"#
    let last = #","remainingWaypoints":[\#(stops[1])]"#
    let vehicle = Self.entry(
      "UpdateVehicle",
      #""response":{"name":"providers/p/vehicles/v1","currentTrips":["t1"],"waypoints":[\#(stops[1])]"#
        + Self.eta(7) + "}", time: 6)
    #expect(
      try Self.arrivals([
        Self.update("ENROUTE_TO_PICKUP", both + Self.eta(3), at: 1),
        Self.update("ARRIVED_AT_PICKUP", both, at: 4),
        Self.update("ENROUTE_TO_DROPOFF", last, at: 5), vehicle,
        Self.update("COMPLETE", "", at: 9),
      ]) == ["pickup 1.0 s", "dropOff 2.0 s"])
  }

  /// As in logs of 2021.
  @Test func comparesTheETAsOfTheEndOfTheRouteSegment() throws {
    func next(_ type: String, trip: String = "t1") -> String {
      #","currentRouteSegmentEndPoint":{"tripId":"\#(trip)","type":"WAYPOINT_TYPE_\#(type)"}"#
    }
    func vehicle(_ next: String, eta: Int, at time: Int) -> String {
      Self.entry(
        "UpdateVehicle",
        #""response":{"name":"providers/p/vehicles/v1","currentTrips":["t1","t2"]"# + next
          + Self.eta(eta) + "}", time: time)
    }
    #expect(
      try Self.arrivals([
        Self.update("ENROUTE_TO_PICKUP", next("PICKUP") + Self.eta(3), at: 1),
        vehicle(next("PICKUP", trip: "t2"), eta: 2, at: 2),
        Self.update("ENROUTE_TO_DROPOFF", next("DROP_OFF"), at: 4),
        vehicle(next("DROP_OFF"), eta: 6, at: 5), Self.update("COMPLETE", "", at: 9),
      ]) == ["pickup 1.0 s", "dropOff 3.0 s"])
  }
}
