import Recording
import Testing
import Tripwire
import WireProtobuf

@testable import CommandShell
@testable import RecordingAnalysis

@Suite struct CloudLogTests {
  private static func entries(_ log: CloudLog) -> [BinlogGrpcLogEntry] { Array(log.entries) }

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
    let log = try ExampleLog.read(
      ExampleLog.entry(
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
    let log = try ExampleLog.read(ExampleLog.entry("UpdateTrip", "\"response\":" + trip))
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
    let log = try ExampleLog.read(
      ExampleLog.entry(
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
    let log = try ExampleLog.read(
      ExampleLog.entry(
        "UpdateTrip", #""response":{"name":"n","pointHandle":"x","status":"TRIP_STATUS_FLYING"}"#))
    #expect(log.unknownFieldCount == 2)
    #expect(Set(log.unknownFields) == ["pointHandle", "TRIP_STATUS_FLYING"])
  }

  @Test func hasTheErrorsOfCalls() throws {
    let entries = [
      #""errorResponse":{"httpStatusCode":404,"code":"NOT_FOUND","message":"no t1"}"#,
      #""errorresponse":{"code":7}"#, #""errorResponse":{"code":1e300}"#,
      #""errorResponse":{"message":"away"}"#,
    ].map { ExampleLog.entry("UpdateTrip", #""request":{"tripId":"t1"},"# + $0) }
    let log = try ExampleLog.read(entries.joined(separator: "\n"))
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
      ExampleLog.entry("UpdateTrip", #""response":{"name":"t\#($0)"}"#, time: $0)
    }
    let log = try ExampleLog.read("[" + entries.joined(separator: ",") + "]")
    #expect(try Self.trips(log).map(\.name) == ["t0", "t1", "t2"])
  }

  /// Newest first, with equal times.
  @Test func reversesEntriesOfTheSameTime() throws {
    let entries = [(1, "c"), (0, "b"), (0, "a")].map {
      ExampleLog.entry("UpdateTrip", #""response":{"name":"\#($0.1)"}"#, time: $0.0)
    }
    #expect(try Self.trips(ExampleLog.read(entries.joined())).map(\.name) == ["a", "b", "c"])
  }

  @Test func readsPayloadsWithoutEntries() throws {
    let payloads = """
      [{"@type":"type.googleapis.com/maps.fleetengine.v1.GetTripLog","timestamp":"2026-11-21T09:30:00Z",
        "response":{"name":"providers/p/trips/t1"}},
       {"servertime":"2026-11-21T09:30:01Z","updateTrip":{"response":{"name":"providers/p/trips/t2"}}}]
      """
    let log = try ExampleLog.read(payloads)
    #expect(
      try Self.trips(log).map(\.name) == ["providers/p/trips/t1", "providers/p/trips/t2"])
  }

  /// Google logs the route and places of a call in an entry of its own.
  @Test(arguments: ["Log", "RestrictedLog", "LogRestricted"])
  func mergesTheRestrictedPartOfACall(suffix: String) throws {
    let restricted = ExampleLog.entry(
      "UpdateTrip",
      #""parentInsertId":"a","response":{"currentRouteSegment":"_p~iF~ps|U","pickupPoint":{"point":"#
        + #"{"latitude":1}}}"#, id: "b", suffix: suffix)
    let log = try ExampleLog.read(
      restricted + ExampleLog.entry("UpdateTrip", #""response":{"name":"n"}"#, id: "a"))
    let trips = try Self.trips(log)
    #expect(trips.map(\.name) == ["n"])
    #expect(trips.map(\.currentRouteSegment) == ["_p~iF~ps|U"])
    #expect(trips.map(\.pickupPoint?.point?.latitude) == [1])
  }

  @Test func warnsOfEntriesThatAreNoCalls() throws {
    let good = ExampleLog.entry("UpdateTrip", #""response":{"name":"n"}"#)
    let log = try ExampleLog.read(
      [
        good, ExampleLog.entry("UpdateThing", #""response":{}"#),
        good.replacing("2026-11-21T09:30:00Z", with: "yesterday"), #"{"a":01}"#,
      ].joined(separator: "\n"))
    #expect(Self.entries(log).count == 4)
    #expect(log.skippedEntries.count == 3)
    #expect(
      log.skippedEntries.reasons.map(\.description) == [
        "2: entry 2: type.googleapis.com/maps.fleetengine.v1.UpdateThingLog"
          + " is not a method of Fleet Engine",
        "3: entry 3: timestamp: expected a time such as 2026-11-21T10:00:00Z",
        "4: entry 4: invalid JSON: malformed number (line 1 of the entry)",
      ])
  }

  @Test func fieldThatCannotBeReadCostsOnlyItself() throws {
    let log = try ExampleLog.read(
      ExampleLog.entry(
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
      log.skippedFields.reasons.map(\.description) == [
        "1: field of entry 1: request: UpdateTripRequest.update_mask: expected lowerCamelCase paths"
          + " separated by commas, such as \"id,tripStatus\"",
        "1: field of entry 1: response: Trip.number_of_passengers: malformed number",
        "1: field of entry 1: response: Trip.remaining_waypoints[0].location.point:"
          + " expected a JSON object that begins with {",
        "1: field of entry 1: response: Trip.remaining_waypoints[1]:"
          + " expected a JSON object that begins with {",
      ])
  }

  @Test func countsProblemsByTheirReasons() throws {
    let entry = ExampleLog.entry(
      "UpdateTrip", #""response":{"name":"n","numberOfPassengers":"two"}"#)
    let others = (1...12).map { ExampleLog.entry("Update\($0)", #""request":{}"#) }
    let log = try ExampleLog.read(
      ([String](repeating: entry, count: 12) + others + [others[0]]).joined())
    #expect((log.skippedFields.count, log.skippedFields.otherCount) == (12, 0))
    #expect(
      log.skippedFields.reasons.map(\.description) == [
        "1: field of entry 1 and 11 more: response: Trip.number_of_passengers: malformed number"
      ])
    #expect((log.skippedEntries.count, log.skippedEntries.otherCount) == (13, 2))
    #expect(log.skippedEntries.reasons.count == 10)
    #expect(
      log.skippedEntries.reasons.first?.description.hasPrefix("1: entry 13 and 1 more: type")
        == true)
    #expect(try Self.trips(log).map(\.name) == [String](repeating: "n", count: 12))
  }

  @Test(arguments: [
    #""vehicle_state,last_location""#, #""vehicleState,lastLocation""#,
    #"{"paths":["vehicle_state","last_location"]}"#, #"{"value":"vehicle_state,lastLocation"}"#,
  ])
  func acceptsFieldMasksInBothForms(mask: String) throws {
    let log = try ExampleLog.read(
      ExampleLog.entry("UpdateVehicle", #""request":{"vehicleId":"v1","updateMask":\#(mask)}"#))
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
        ["Log", "LogRestricted"].map { ExampleLog.entry(method, #""response":{}"#, suffix: $0) }
        + [
          ExampleLog.entry(method, #""response":{}"#).replacing(
            "engine.v1", with: "engine.delivery.v1"),
          #"{"serverTime":"2026-11-21T09:30:01Z","\#(key)":{"response":{}}}"#,
          #"{"servertime":"2026-11-21T09:30:01Z","\#(method.lowercased())":{"request":{}}}"#,
          #"{"timestamp":"2026-11-21 09:30:01.5 UTC","jsonpayload_v1_\#(method.lowercased())log":{"#
            + #""_type":null,"response":{}},"jsonpayload_v1_otherlog":null}"#,
        ]
      let log = try ExampleLog.read(entries.joined())
      let name = try #require(path.split(separator: ".").last.map(String.init))
      #expect(Self.paths(log) == [String](repeating: name, count: entries.count))
      #expect(log.skippedEntries.count == 0)
    }
    let search = ExampleLog.entry("SearchTasks", #""response":{"tasks":[{"name":"n"}]}"#)
    #expect(try Self.paths(ExampleLog.read(search)) == ["DeliveryService/ListTasks"])
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
    let log = try ExampleLog.read(ExampleLog.entry("UpdateTask", "\"response\":" + task))
    let read = try DeliveryTask(serializedBytes: Self.messages(log, .serverMessage)[0])
    #expect((read.name, read.type, read.state) == ("n", .delivery, .closed))
    #expect((read.taskOutcome, read.deliveryVehicleId) == (.failed, "v1"))
    #expect(read.taskOutcomeLocationSource == .lastVehicleLocation)
    #expect(read.taskDuration?.seconds == 60)
    #expect(log.unknownFieldCount == 0)
  }

  @Test func acceptsTheNamesOfDeliveryVehicles() throws {
    let log = try ExampleLog.read(
      ExampleLog.entry(
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
    let log = try ExampleLog.read(
      ExampleLog.entry(method, payload, labels: #"{"task_id":"label"}"#))
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
      ExampleLog.entry("UpdateTrip", #""response":{"name":"\#($0)"}"#, id: $0)
    }
    let later = ExampleLog.entry("UpdateTrip", #""response":{"name":"c"}"#, time: 1, id: "a")
    let log = try ExampleLog.read(entries.joined() + later + entries.joined(separator: ","))
    #expect(try Self.trips(log).map(\.name) == ["a", "b", "c"])
    #expect((log.duplicateCount, log.skippedEntries.count) == (2, 0))
  }

  /// Insert IDs, and IDs of resources, are those of a project.
  @Test func separatesProjects() throws {
    let part = ExampleLog.entry(
      "UpdateTrip", #""parentInsertId":"a","response":{"vehicleId":"v1"}"#, id: "b",
      suffix: "RestrictedLog")
    let call = ExampleLog.entry("UpdateTrip", #""request":{"tripId":"t1"},"response":{}"#, id: "a")
    let log = try ExampleLog.read(
      call + call.replacing("projects/p/", with: "projects/q/")
        + part.replacing("projects/p/", with: "projects/q/"))
    let names = try Self.messages(log, .clientMessage).map {
      try UpdateTripRequest(serializedBytes: $0).name
    }
    #expect(names == ["providers/p/trips/t1", "providers/q/trips/t1"])
    #expect(try Self.trips(log).map(\.vehicleId) == ["", "v1"])
    #expect((log.duplicateCount, log.skippedEntries.count) == (0, 0))
  }

  @Test func entryWithoutARequestAResponseAndAnErrorIsNoCall() throws {
    let call = ExampleLog.entry("GetTrip", #""response":{"name":"providers/p/trips/t1"}"#)
    let log = try ExampleLog.read(
      call + ExampleLog.entry("GetTrip", #""severity":"INFO""#)
        + ExampleLog.entry("GetTrip", #""request":null,"response":null,"errorresponse":{}"#)
        + #"{"jsonpayload_v1_gettriplog":{"type":"x.GetTripLog"},"timestamp":1}"#)
    #expect(Self.entries(log).filter { $0.type == .clientHeader }.count == 1)
    #expect(
      log.skippedEntries.reasons.map(\.description) == [
        "1: entry 2 and 2 more: no request, no response and no error: not a call"
      ])
  }

  @Test func reportsNestingInTheWordsOfTheLogs() throws {
    let deep = String(repeating: "[", count: 240) + String(repeating: "]", count: 240)
    let log = try ExampleLog.read(
      ExampleLog.entry("UpdateTrip", #""response":{"name":"n"}"#)
        + ExampleLog.entry("UpdateTrip", #""response":{"x":\#(deep)}"#))
    #expect(
      log.skippedEntries.reasons.map(\.description) == [
        "1: entry 2: invalid JSON: nested more than 100 levels deep (line 1 of the entry)"
      ])
  }

  @Test func reportsARestrictedPartWithoutItsCall() throws {
    let part = ExampleLog.entry(
      "UpdateTrip", #""parentInsertId":"x","response":{}"#, id: "b", suffix: "RestrictedLog")
    let log = try ExampleLog.read(
      ExampleLog.entry("UpdateTrip", #""response":{"name":"n"}"#, id: "a") + part)
    let reason = "a restricted part of a call that is not in the file"
    #expect(log.skippedEntries.reasons.map(\.description) == ["entry 2: " + reason])
    let error = #expect(throws: CloudLogError.self) { try ExampleLog.read(part) }
    #expect(error?.description == "entry 1: " + reason)
  }

  @Test func readsTheWholeEntriesOfATruncatedFile() throws {
    let call = ExampleLog.entry("UpdateTrip", #""response":{"name":"n"}"#)
    let log = try ExampleLog.read("[\(call),\n{\"a\":")
    #expect(try Self.trips(log).map(\.name) == ["n"])
    #expect(log.damage?.description == "2:6: the file ends in the middle of an entry")
  }

  @Test(arguments: [
    ("[]", "the file has no log entries"),
    (#"{"a":1}"#, "1: entry 1: no @type and no request: not a Fleet Engine log entry"),
    (
      #"{"jsonPayload":{"request":{"tripId":"t1"}}}"#,
      "1: entry 1: no @type in jsonPayload: not a Fleet Engine log entry"
    ),
    (
      #"{"jsonPayload":{"response":{}}}"#,
      "1: entry 1: no @type in jsonPayload: not a Fleet Engine log entry"
    ),
    (
      "[1]",
      "1: entry 1: expected a JSON object"
    ),
    ("[", "1:2: the array of entries has no end"),
  ])
  func rejectsAFileWithoutCalls(text: String, error: String) {
    let found = #expect(throws: CloudLogError.self) { try ExampleLog.read(text) }
    #expect(found?.description == error)
  }

  @Test func limitsTheNumberOfEntries() throws {
    let text = "[" + String(repeating: "{},", count: 200_001) + "]"
    let found = #expect(throws: CloudLogError.self) { try ExampleLog.read(text) }
    #expect(
      found?.description.hasSuffix(
        "more than 200000 entries; export the logs of a shorter time range") == true)
  }
}
