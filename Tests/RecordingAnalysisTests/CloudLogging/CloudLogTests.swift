import Recording
import Testing
import Tripwire
import WireProtobuf

@testable import CommandShell
@testable import RecordingAnalysis

@Suite struct CloudLogTests {
  private static func log(_ text: String) throws -> CloudLog {
    var log = CloudLog(MessageTypes(pool: try EmbeddedSchema.pool([])))
    try log.add(Array(text.utf8))
    try log.end()
    return log
  }

  private static func entries(_ log: CloudLog) -> [BinlogGrpcLogEntry] { Array(log.entries) }

  private static func entry(
    _ method: String, _ payload: String, time: Int = 0, id: String = "", suffix: String = "Log",
    labels: String = "{}"
  ) -> String {
    """
    {"insertId":"\(id)","jsonPayload":{"@type":"type.googleapis.com/maps.fleetengine.v1.\(method)\(suffix)",\
    \(payload)},"labels":\(labels),\
    "logName":"projects/p/logs/fleetengine.googleapis.com%2Fx","timestamp":"2026-11-21T09:30:0\(time)Z"}
    """
  }

  private static func messages(_ log: CloudLog, _ type: BinlogGrpcLogEntry.EventType) -> [[UInt8]] {
    entries(log).compactMap { entry in
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
    let entries = Self.entries(log)
    #expect(
      entries.map(\.type) == [.clientHeader, .clientMessage, .serverMessage, .serverTrailer])
    #expect(entries.allSatisfy { $0.logger == .server && $0.callId == 1 })
    #expect(entries.map(\.sequenceIdWithinCall) == [1, 2, 3, 4])
    #expect(entries.allSatisfy { $0.timestamp == Timestamp(seconds: 1_795_253_400) })
    guard case .clientHeader(let header)? = entries.first?.payload else {
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
    let trailers = Self.entries(log).compactMap { entry -> String? in
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
    #expect(Self.entries(log).count == 4)
    #expect(log.skippedEntries.count == 3)
    #expect(
      log.skippedEntries.texts == [
        "entry 2: type.googleapis.com/maps.fleetengine.v1.UpdateThingLog"
          + " is not a method of Fleet Engine",
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
    #expect((request.name, request.updateMask) == ("providers/p/trips/t1", nil))
    #expect((log.skippedEntries.count, log.skippedFields.count) == (0, 4))
    #expect(
      log.skippedFields.texts == [
        "entry 1: request: UpdateTripRequest.update_mask: expected lowerCamelCase paths"
          + " separated by commas, such as \"id,tripStatus\"",
        "entry 1: response: Trip.number_of_passengers: malformed number",
        "entry 1: response: Trip.remaining_waypoints[0].location.point:"
          + " expected a JSON object that begins with {",
        "entry 1: response: Trip.remaining_waypoints[1]:"
          + " expected a JSON object that begins with {",
      ])
  }

  @Test func countsProblemsByTheirReasons() throws {
    let entry = Self.entry("UpdateTrip", #""response":{"name":"n","numberOfPassengers":"two"}"#)
    let others = (1...12).map { Self.entry("Update\($0)", #""request":{}"#) }
    let log = try Self.log(
      ([String](repeating: entry, count: 12) + others + [others[0]]).joined())
    #expect((log.skippedFields.count, log.skippedFields.otherCount) == (12, 0))
    #expect(
      log.skippedFields.texts == [
        "entry 1 and 11 more: response: Trip.number_of_passengers: malformed number"
      ])
    #expect((log.skippedEntries.count, log.skippedEntries.otherCount) == (13, 2))
    #expect(log.skippedEntries.texts.count == 10)
    #expect(log.skippedEntries.texts[0].hasPrefix("entry 13 and 1 more: type"))
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
    #expect((log.skippedEntries.count, log.skippedFields.count) == (0, 0))
  }

  // MARK: Deliveries

  private static func paths(_ log: CloudLog) -> [String] {
    entries(log).compactMap { entry in
      guard case .clientHeader(let header) = entry.payload else { return nil }
      return header.methodName.split(separator: ".").last.map(String.init)
    }
  }

  /// The names of all methods, in each form.
  @Test func findsTheMethodsOfAllServices() throws {
    for path in FleetMethod.all.keys.sorted() {
      let method = try #require(path.split(separator: "/").last.map(String.init))
      let key = method.prefix(1).lowercased() + method.dropFirst()
      let entries =
        ["Log", "LogRestricted"].map { Self.entry(method, #""response":{}"#, suffix: $0) }
        + [
          Self.entry(method, #""response":{}"#).replacing("engine.v1", with: "engine.delivery.v1"),
          #"{"serverTime":"2026-11-21T09:30:01Z","\#(key)":{"response":{}}}"#,
          #"{"servertime":"2026-11-21T09:30:01Z","\#(method.lowercased())":{"request":{}}}"#,
          #"{"timestamp":"2026-11-21 09:30:01.5 UTC","jsonpayload_v1_\#(method.lowercased())log":{"#
            + #""_type":null,"response":{}},"jsonpayload_v1_otherlog":null}"#,
        ]
      let log = try Self.log(entries.joined())
      let name = try #require(path.split(separator: ".").last.map(String.init))
      #expect(Self.paths(log) == [String](repeating: name, count: entries.count))
      #expect(log.skippedEntries.count == 0)
    }
    let search = Self.entry("SearchTasks", #""response":{"tasks":[{"name":"n"}]}"#)
    #expect(try Self.paths(Self.log(search)) == ["DeliveryService/ListTasks"])
  }

  /// The names of the API, of Cloud Logging, and of tables of BigQuery.
  @Test(arguments: [
    #"{"name":"n","type":"DELIVERY","state":"CLOSED","taskOutcome":"FAILED","taskOutcomeLocationSource":"#
      + #""LAST_VEHICLE_LOCATION","deliveryVehicleId":"v1","taskDuration":"60s"}"#,
    #"{"name":"n","type":"TASK_TYPE_LOG_DELIVERY","state":"TASK_STATE_LOG_CLOSED","taskOutcome":"#
      + #""TASK_OUTCOME_LOG_FAILED","taskOutcomeLocationSource":"#
      + #""TASK_OUTCOME_LOCATION_SOURCE_LOG_LAST_VEHICLE_LOCATION","deliveryVehicleId":"v1","#
      + #""taskDuration":"60s"}"#,
    #"{"name":"n","type":"TASK_TYPE_LOG_DELIVERY","state":"TASK_STATE_LOG_CLOSED","taskoutcome":"#
      + #""TASK_OUTCOME_LOG_FAILED","taskoutcomelocationsource":"#
      + #""TASK_OUTCOME_LOCATION_SOURCE_LOG_LAST_VEHICLE_LOCATION","deliveryvehicleid":"v1","#
      + #""taskduration":"60s","journeysharinginfo":null,"taskoutcomelocation":{"point":null}}"#,
  ])
  func acceptsTheNamesOfTasks(task: String) throws {
    let log = try Self.log(Self.entry("UpdateTask", "\"response\":" + task))
    let read = try DeliveryTask(serializedBytes: Self.messages(log, .serverMessage)[0])
    #expect((read.name, read.type, read.state) == ("n", .delivery, .closed))
    #expect((read.taskOutcome, read.deliveryVehicleId) == (.failed, "v1"))
    #expect(read.taskOutcomeLocationSource == .lastVehicleLocation)
    #expect(read.taskDuration?.seconds == 60)
    #expect(log.unknownFieldCount == 0)
  }

  @Test func acceptsTheNamesOfDeliveryVehicles() throws {
    let log = try Self.log(
      Self.entry(
        "UpdateDeliveryVehicle",
        #""response":{"name":"n","navigationstatus":"NAVIGATION_STATUS_OFF_ROUTE","lastlocation":{"#
          + #""locsensor":"LOCATION_SENSOR_ROAD_SNAPPED_LOCATION_PROVIDER","locationhandle":"h","#
          + #""rawlocation":{"latitude":1,"longitude":2},"heading":7,"speed":1.5},"#
          + #""remainingvehiclejourneysegments":[{"pathhandle":"h","drivingdistancemeters":30,"stop":{"#
          + #""state":"VEHICLE_STOP_STATE_LOG_ENROUTE","tasks":[{"taskid":"k1","taskduration":"60s"}]}}]}"#
      ))
    let read = try DeliveryVehicle(serializedBytes: Self.messages(log, .serverMessage)[0])
    #expect(read.navigationStatus == .offRoute)
    #expect(read.lastLocation?.locationSensor == .roadSnappedLocationProvider)
    #expect(read.lastLocation?.rawLocation == LatLng(latitude: 1, longitude: 2))
    let stop = try #require(read.remainingVehicleJourneySegments.first?.stop)
    #expect(stop.state == .enroute && stop.tasks.map(\.taskId) == ["k1"])
    #expect(log.unknownFieldCount == 2)
    #expect(Set(log.unknownFields) == ["locationhandle", "pathhandle"])
  }

  /// Requests in logs have IDs in place of names.
  @Test(arguments: [
    ("GetTask", #""request":{"taskId":"k1"}"#, "providers/p/tasks/k1"),
    ("DeleteTask", #""request":{"name":"providers/p/tasks/k1"}"#, "providers/p/tasks/k1"),
    ("GetTaskTrackingInfo", #""request":{"trackingid":"x"}"#, "providers/p/taskTrackingInfo/x"),
    (
      "GetDeliveryVehicle", #""response":{"name":"providers/q/deliveryVehicles/v1"}"#,
      "providers/q/deliveryVehicles/v1"
    ),
    (
      "UpdateDeliveryVehicle", #""request":{"deliveryvehicleid":"v1","deliveryvehicle":{}}"#,
      "providers/p/deliveryVehicles/v1"
    ),
    ("UpdateTask", #""request":{"task":{"name":""}}"#, "providers/p/tasks/label"),
    ("CreateTask", #""request":{"taskid":"k1"}"#, "providers/p/tasks/k1"),
    (
      "CreateDeliveryVehicle", #""response":{"name":"providers/p/deliveryVehicles/v1"}"#,
      "providers/p/deliveryVehicles/v1"
    ),
    ("UpdateVehicleAttributes", #""request":{"vehicleId":"v1"}"#, "providers/p/vehicles/v1"),
    ("BatchCreateTasks", #""request":{"requests":[{"taskId":"k1"}]}"#, "providers/p"),
  ])
  func completesTheNamesOfRequests(method: String, payload: String, name: String) throws {
    let log = try Self.log(Self.entry(method, payload, labels: #"{"task_id":"label"}"#))
    var calls = CallNumbers()
    let types = MessageTypes(pool: try EmbeddedSchema.pool([]))
    let names = Self.entries(log).compactMap { entry -> String? in
      let logged = LoggedEntry(entry, of: calls.call(of: entry))
      return entry.type == .clientMessage ? types.resource(of: logged) : nil
    }
    #expect(names == [name])
  }

  // MARK: Entries

  /// Two downloads of the same time in one file.
  @Test func dropsDuplicates() throws {
    let entries = ["a", "b"].map {
      Self.entry("UpdateTrip", #""response":{"name":"\#($0)"}"#, id: $0)
    }
    let later = Self.entry("UpdateTrip", #""response":{"name":"c"}"#, time: 1, id: "a")
    let log = try Self.log(entries.joined() + later + entries.joined(separator: ","))
    #expect(try Self.trips(log).map(\.name) == ["a", "b", "c"])
    #expect((log.duplicateCount, log.skippedEntries.count) == (2, 0))
  }

  @Test func reportsARestrictedPartWithoutItsCall() throws {
    let part = Self.entry(
      "UpdateTrip", #""parentInsertId":"x","response":{}"#, id: "b", suffix: "RestrictedLog")
    let log = try Self.log(Self.entry("UpdateTrip", #""response":{"name":"n"}"#, id: "a") + part)
    let reason = "a restricted part of a call that is not in the file"
    #expect(log.skippedEntries.texts == ["entry 2: " + reason])
    let error = #expect(throws: CloudLogError.self) { try Self.log(part) }
    #expect(error?.description == "entry 1: " + reason)
  }

  @Test func readsTheWholeEntriesOfATruncatedFile() throws {
    let call = Self.entry("UpdateTrip", #""response":{"name":"n"}"#)
    let log = try Self.log("[\(call),\n{\"a\":")
    #expect(try Self.trips(log).map(\.name) == ["n"])
    #expect(log.damage == "2:6: the file ends in the middle of an entry")
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
    (
      "[1]",
      "entry 1: invalid JSON: expected a JSON object that begins with { (line 1 of the entry)"
    ),
    ("[", "1:2: the array of entries has no end"),
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
    #expect(log.skippedEntries.texts == ["entry 2: longer than 4 MiB"])
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
