import FleetEngineAPI
import FleetEngineDeliveryAPI
import TestSupport
import Testing
import WireGRPC
import WireGRPCServer
import WireProtobuf
import WireSystem

@testable import EmulatorState
@testable import FleetEmulator

@Suite struct StateFileTests {
  /// Gives `body` the path of a file that does not exist.
  private func withPath(_ body: (String) throws -> Void) async throws {
    try await withTemporaryDirectory { try body("\($0)/state.db") }
  }

  /// Resources of every kind, with everything that a file keeps of them.
  private func fullFleet() throws -> TestFleet {
    var fleet = TestFleet()
    try fleet.createVehicle("v1")
    try fleet.createTrip("t1") { $0.vehicleId = "v1" }
    try fleet.createTrip("né")
    fleet.advance()
    try fleet.go("t1", .enrouteToPickup)
    fleet.advance()
    try fleet.drive("v1", [.equator(0), .equator(1)], seconds: 60, meters: 900)
    fleet.advance()
    try fleet.updateTrip("t1", "actual_pickup_point") {
      $0.actualPickupPoint = StopLocation(point: .equator(0))
    }
    for id in ["a", "b"] { try fleet.createTask(id) { $0.trackingId = "track-x" } }
    try fleet.createDeliveryVehicle("d1", at: .equator(0))
    fleet.advance()
    try fleet.plan("d1", [.stop(1, "a", state: .arrived)])
    try fleet.createDeliveryVehicle("d2", at: .equator(0))
    try fleet.updateDelivery("d2", "remaining_duration,current_route_segment") {
      $0.remainingDuration = WireDuration(.seconds(60))
      $0.currentRouteSegment = Array("_ibE_ibE".utf8)
    }
    return fleet
  }

  @Test func allResourcesAreThereAgain() async throws {
    try await withPath { path in
      var fleet = try fullFleet()
      try fleet.engine.save(to: StateFile(path))
      var again = fleet
      again.engine = try StateFile(path).engine()
      #expect(again.engine.hasSameState(as: fleet.engine))
      // With the times that are in no field.
      again.advance(10)
      fleet.advance(10)
      #expect(try again.trip("t1") == fleet.trip("t1"))
      #expect(try again.tracking("x") == fleet.tracking("x"))
      #expect(try again.tracking("x").estimatedArrivalTime != again.now)
      let version = again.now
      let unchanged = try again.trip("t1") { $0.currentRouteSegmentVersion = version }
      #expect(unchanged.currentRouteSegment == "")
    }
  }

  @Test func changesAndDeletionsAreSaved() async throws {
    try await withPath { path in
      var fleet = try fullFleet()
      do {
        let file = try StateFile(path)
        try fleet.engine.save(to: file)
        let calls: [(inout TestFleet) throws -> Void] = [
          { try $0.go("t1", .canceled) },
          { try $0.move("d1", to: .equator(0.5)) },
          { try $0.plan("d1", []) },
          {
            _ = try $0.call(
              DeliveryServiceMethods.deleteTask, DeleteTaskRequest(name: "providers/p/tasks/b"))
          },
          {
            _ = try $0.call(
              TripServiceMethods.deleteTrip, DeleteTripRequest(name: "providers/p/trips/né"))
          },
          {
            _ = try $0.call(
              VehicleServiceMethods.deleteVehicle,
              DeleteVehicleRequest(name: "providers/p/vehicles/v1"))
          },
        ]
        for call in calls {
          fleet.advance()
          try call(&fleet)
          try fleet.engine.save(to: file)
          #expect(try file.engine().hasSameState(as: fleet.engine))
        }
      }
      #expect(try StateFile(path).engine().hasSameState(as: fleet.engine))
    }
  }

  /// The cost of a call must not grow with the number of resources.
  @Test func onlyChangedResourcesAreSaved() throws {
    var fleet = try fullFleet()
    func changes(_ call: (inout TestFleet) throws -> Void) rethrows -> [String] {
      _ = fleet.engine.takeChanges()
      fleet.advance()
      try call(&fleet)
      return fleet.engine.takeChanges().keys.map(\.name).sorted()
    }
    #expect(try changes { _ = try $0.trip("t1") } == [])
    #expect(
      try changes { try $0.updateVehicle("v1", "maximum_capacity") { $0.maximumCapacity = 7 } }
        == ["providers/p/vehicles/v1"])
    #expect(
      try changes { try $0.go("t1", .canceled) }
        == ["providers/p/trips/t1", "providers/p/vehicles/v1"])
    #expect(
      try changes {
        _ = try $0.failure(
          TripServiceMethods.updateTrip,
          TestFleet.tripUpdate("t1", "trip_status") { $0.tripStatus = .new })
      } == [])
  }

  // MARK: Failures

  @Test func aChangeThatCannotBeSavedIsUndone() async throws {
    try await withPath { path in
      var fleet = try fullFleet()
      do {
        let file = try StateFile(path)
        try fleet.engine.save(to: file)
        let before = fleet
        try file.database.execute("PRAGMA max_page_count = 1")
        for number in 0..<100 { try fleet.createTask("new\(number)") { $0.trackingId = "track-x" } }
        try fleet.go("t1", .canceled)
        let error = #expect(throws: EngineError.self) { try fleet.engine.save(to: file) }
        #expect(error?.code == .resourceExhausted)
        #expect(fleet.engine.hasSameState(as: before.engine))
        #expect(fleet.engine.takeChanges().isEmpty)
        try file.database.execute("PRAGMA max_page_count = 10000")
        try fleet.createTask("later")
        try fleet.engine.save(to: file)
      }
      #expect(try StateFile(path).engine().hasSameState(as: fleet.engine))
    }
  }

  @Test func aCallFailsIfItsChangeCannotBeSaved() async throws {
    try await withPath { path in
      let file = try StateFile(path)
      try file.database.execute("PRAGMA max_page_count = 1")
      let fleet = EmulatedFleet(time: .standing(Timestamp(seconds: 1_800_000_000)), store: file)
      let method = DeliveryServiceMethods.createTask.path
      /// The status of a call that fails.
      func failure(_ path: String, _ request: some Message) -> RPCStatus? {
        switch fleet.answer(path, request.serializedBytes(), token: nil).0 {
        case .failure(let status): status
        default: nil
        }
      }
      var error: RPCStatus?
      var sent: [String] = []
      while error == nil, sent.count < 100 {
        sent.append("a\(sent.count)")
        error = failure(method, TestFleet.task("a\(sent.count - 1)"))
      }
      let found = (0..<100).filter { number in
        let request = GetTaskRequest(name: "providers/p/tasks/a\(number)")
        return failure(DeliveryServiceMethods.getTask.path, request) == nil
      }
      #expect(found.map { "a\($0)" } == sent.dropLast())
      #expect(error?.code == Int32(StatusCode.resourceExhausted.rawValue))
      #expect(error?.message == "the emulator cannot save the change: database or disk is full")
    }
  }

  /// The error of a file in which statements were executed.
  private func expectError(
    _ expected: String, after statements: String..., source: SourceLocation = #_sourceLocation
  ) async throws {
    try await withPath { path in
      var engine = try fullFleet().engine
      try engine.save(to: StateFile(path))
      do {
        let database = try SQLiteDatabase(path)
        for statement in statements { try database.execute(statement) }
      }
      expectError(expected, path, source)
    }
  }

  private func expectError(
    _ expected: String, _ path: String, _ source: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: StateFileError.self, sourceLocation: source) {
      _ = try StateFile(path).engine()
    }
    #expect(error?.description == "\(path): \(expected)", sourceLocation: source)
    #expect(error?.hint.isEmpty == false, sourceLocation: source)
  }

  @Test func databasesOfOthersAreRefused() async throws {
    try await expectError(
      "it is the database of another program", after: "PRAGMA application_id = 1")
    try await expectError(
      "it is the database of another program", after: "PRAGMA application_id = 0")
    try await expectError(
      "it is the database of another version of tripwire", after: "PRAGMA user_version = 2")
  }

  @Test func damagedDatabasesAreRefused() async throws {
    let start = "it is damaged: the row of providers/p"
    try await expectError(
      "\(start)/tasks/a: Task at byte 0: truncated",
      after: "UPDATE resources SET message = x'ff' WHERE name LIKE '%/a'")
    try await expectError(
      "\(start)/trips/t1: its times are not those of a resource of its kind",
      after: "UPDATE resources SET times = '[]' WHERE name LIKE '%/t1'")
    try await expectError(
      "\(start)/trips/a?: a trip ID must not contain a \"?\" (at character 20 of providers/p/trips/a?)",
      after: "INSERT INTO resources VALUES ('providers/p/trips/a?', x'', '[]')")
  }

  @Test func otherTablesAreRefused() async throws {
    let error = "it is damaged: it has other tables"
    try await expectError(error, after: "DROP TABLE resources")
    try await expectError(
      error, after: "DROP TABLE resources",
      "CREATE VIEW resources AS SELECT '' AS name, x'' AS message, '[]' AS times")
    try await expectError(
      error,
      after: "CREATE TRIGGER t AFTER INSERT ON resources BEGIN DELETE FROM resources; END")
  }

  @Test func aDeviceIsRefusedAndAnEmptyFileIsNot() async throws {
    expectError("it is not a regular file", "/dev/null")
    // An empty file is a database without tables.
    try await withFile([]) { path in
      let engine = try StateFile(path).engine()
      #expect(engine.hasSameState(as: FleetEngine()))
    }
  }

  @Test func aTruncatedDatabaseIsRefused() async throws {
    try await withPath { path in
      var fleet = try fullFleet()
      for number in 0..<200 { try fleet.createTask("new\(number)") }
      try fleet.engine.save(to: StateFile(path))
      #expect(truncate(path, 6_000) == 0)
      expectError("it is damaged: database disk image is malformed", path)
    }
  }
}
