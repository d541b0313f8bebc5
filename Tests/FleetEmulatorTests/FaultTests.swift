import FleetEngineAPI
import Testing
import Tripwire
import WireGRPC
import WireGRPCServer
import WireProtobuf

@testable import FleetEmulator

@Suite struct FaultTests {
  private let fleet = EmulatedFleet(time: .standing(Timestamp(seconds: 1_800_000_000)))

  init() throws { _ = try drive("v1", "providers/p/vehicles/v1") }

  // MARK: Calls

  /// Executes a call, and returns its response and delay.
  private func call<Request: Message, Response: Message>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request
  ) throws -> (Response, delay: Duration) {
    let (answer, delay) = fleet.answer(method.path, request.serializedBytes(), token: nil)
    switch answer {
    case .response(let bytes): return (try Response(serializedBytes: bytes), delay)
    case .failure(let status): throw EngineError(status)
    case .silence: throw EngineError(.unknown, "silence")
    case .disconnect: throw EngineError(.unknown, "disconnect")
    }
  }

  @discardableResult
  private func create(_ fault: Fault) throws -> Fault {
    try call(EmulatorServiceMethods.createFault, CreateFaultRequest(fault: fault)).0
  }

  private func list() throws -> [Fault] {
    try call(EmulatorServiceMethods.listFaults, ListFaultsRequest()).0.faults
  }

  private func advance(_ seconds: Int64) throws {
    _ = try call(
      EmulatorServiceMethods.advanceTime,
      AdvanceTimeRequest(duration: WireDuration(.seconds(seconds))))
  }

  private func drive(_ id: String, _ name: String) throws -> Timestamp? {
    try call(
      EmulatorServiceMethods.driveVehicle,
      DriveVehicleRequest(
        name: name, points: [.equator(0), .equator(0.01)], speed: 10, wait: WireDuration(.zero))
    ).0.endTime
  }

  private func vehicle(_ name: String = "providers/p/vehicles/v1") throws -> Vehicle {
    try call(VehicleServiceMethods.getVehicle, GetVehicleRequest(name: name)).0
  }

  /// The code and the message of GetVehicle.
  private func failure(_ name: String = "providers/p/vehicles/v1") throws -> RPCStatus? {
    do { _ = try vehicle(name) } catch let error as EngineError { return error.status }
    return nil
  }

  private static func status(_ code: StatusCode) -> Fault.Effect {
    .status(RPCStatus(code: Int32(code.rawValue), message: "on purpose"))
  }

  // MARK: Conditions

  @Test func aFaultConcernsItsMethods() throws {
    for methods in [
      ["GetTrip", "GetVehicle"], ["maps.fleetengine.v1.VehicleService/GetVehicle"],
      ["/maps.fleetengine.v1.VehicleService/GetVehicle"], [],
    ] {
      let fault = try create(Fault(methods: methods, effect: Self.status(.aborted)))
      #expect(try failure()?.code == 10)
      _ = try call(EmulatorServiceMethods.deleteFault, DeleteFaultRequest(name: fault.name))
    }
    try create(Fault(methods: ["UpdateVehicle"], effect: Self.status(.aborted)))
    #expect(try failure() == nil)
  }

  @Test(arguments: [
    ("providers/p/vehicles/v1", true), ("vehicles/v1", true), ("providers/q/vehicles/v1", false),
    ("vehicles/v2", false), ("deliveryVehicles/v1", false), ("trips/v1", false),
  ])
  func aFaultConcernsItsResource(_ resource: String, _ isConcerned: Bool) throws {
    try create(Fault(resource: resource, effect: Self.status(.aborted)))
    #expect(try (failure() != nil) == isConcerned)
  }

  @Test func aFaultConcernsTheTasksOfABatch() throws {
    try create(Fault(resource: "tasks/k2", effect: Self.status(.aborted)))
    func batch(_ ids: [String]) throws {
      _ = try call(
        DeliveryServiceMethods.batchCreateTasks,
        BatchCreateTasksRequest(
          parent: "providers/p", requests: ids.map { TestFleet.task($0) }))
    }
    try batch(["k1", "k3"])
    #expect(throws: EngineError.self) { try batch(["k4", "k2"]) }
  }

  @Test func aFaultHasATime() throws {
    try create(
      Fault(
        start: WireDuration(.seconds(10)), duration: WireDuration(.seconds(20)),
        effect: Self.status(.unavailable)))
    #expect(try list().map(\.calls) == [0])
    try advance(9)
    #expect(try failure() == nil)
    try advance(1)
    #expect(try failure()?.message == "on purpose")
    try advance(19)
    #expect(try failure() != nil)
    #expect(try list().map(\.calls) == [2])
    try advance(1)
    #expect(try list() == [])
    #expect(try failure() == nil)
  }

  @Test func aFaultEndsAfterSomeCalls() throws {
    try create(Fault(methods: ["GetVehicle"], times: 2, effect: .silence(Empty())))
    #expect(try failure()?.message == "silence")
    _ = try call(
      VehicleServiceMethods.listVehicles,
      ListVehiclesRequest(parent: "providers/p", vehicleTypeCategories: [.auto]))
    #expect(try list().map(\.calls) == [1])
    #expect(try failure()?.message == "silence")
    #expect(try failure() == nil)
    #expect(try list() == [])
  }

  @Test func theFirstFaultThatEndsACallDecides() throws {
    try create(Fault(effect: .latency(WireDuration(.seconds(1)))))
    try create(Fault(effect: .latency(WireDuration(.seconds(2)))))
    #expect(
      try call(
        VehicleServiceMethods.getVehicle, GetVehicleRequest(name: "providers/p/vehicles/v1")
      ).delay == .seconds(3))
    try create(Fault(effect: .disconnect(Empty())))
    try create(Fault(effect: Self.status(.aborted)))
    #expect(try failure()?.message == "disconnect")
    #expect(try list().map(\.calls) == [2, 2, 1, 0])
    #expect(try list().map(\.name) == ["faults/1", "faults/2", "faults/3", "faults/4"])
    _ = try call(EmulatorServiceMethods.deleteFaults, DeleteFaultsRequest())
    #expect(try list() == [])
    #expect(try create(Fault(effect: .silence(Empty()))).name == "faults/5")
  }

  // MARK: Effects

  @Test func aQuotaIsExhaustedByCallsInAMinute() throws {
    try create(Fault(methods: ["GetVehicle"], effect: .quota(Quota(callsPerMinute: 2))))
    #expect(try failure() == nil)
    try advance(20)
    #expect(try failure() == nil)
    let status = try #require(try failure())
    #expect(status.code == Int32(StatusCode.resourceExhausted.rawValue))
    #expect(
      status.message
        == "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute' of service"
        + " 'fleetengine.googleapis.com' for consumer 'project:p'.")
    let details = status.details
    let info = try #require(try details[0].unpack(ErrorInfo.self))
    #expect(info.reason == "RATE_LIMIT_EXCEEDED")
    #expect(info.metadata["quota_limit_value"] == "2")
    #expect(info.metadata["consumer"] == "projects/p")
    #expect(try details[1].unpack(QuotaFailure.self)?.violations.map(\.subject) == ["project:p"])
    #expect(try details[2].unpack(RetryInfo.self)?.retryDelay == WireDuration(.seconds(40)))
    #expect(try list().map(\.calls) == [1])
    try advance(40)
    #expect(try failure() == nil)
  }

  @Test func aQuotaOfZeroFailsAllCalls() throws {
    try create(Fault(effect: .quota(Quota())))
    for _ in 0..<2 { #expect(try failure()?.code == 8) }
  }

  /// The trip still gets its statuses, because only locations are discarded.
  @Test func aVehicleCanBeStuck() throws {
    try create(
      Fault(
        resource: "vehicles/v1", start: WireDuration(.seconds(10)),
        duration: WireDuration(.seconds(30)), effect: .stuckLocation(Empty())))
    _ = try drive("v2", "providers/p/vehicles/v2")
    try advance(8)
    let place = try vehicle().lastLocation
    #expect(place?.serverTime == Timestamp(seconds: 1_800_000_008))
    try advance(20)
    #expect(try vehicle().lastLocation?.location == place?.location)
    #expect(try vehicle().lastLocation?.timeSinceUpdate == 20)
    let other = try vehicle("providers/p/vehicles/v2").lastLocation
    #expect(other?.serverTime == Timestamp(seconds: 1_800_000_028))
    func report() throws -> Vehicle {
      let vehicle = Vehicle(
        lastLocation: VehicleLocation(location: .equator(5)),
        licensePlate: .init(countryCode: "US", lastCharacter: "7"))
      return try call(
        VehicleServiceMethods.updateVehicle,
        UpdateVehicleRequest(
          name: "providers/p/vehicles/v1", vehicle: vehicle,
          updateMask: ["last_location", "license_plate"])
      ).0
    }
    #expect(try report().lastLocation?.location == place?.location)
    #expect(try vehicle().licensePlate?.lastCharacter == "7")
    try advance(12)
    #expect(try vehicle().lastLocation?.serverTime == Timestamp(seconds: 1_800_000_040))
    #expect(try report().lastLocation?.location == .equator(5))
  }

  @Test func aDeliveryVehicleCanBeStuck() throws {
    _ = try call(
      DeliveryServiceMethods.createDeliveryVehicle,
      CreateDeliveryVehicleRequest(
        parent: "providers/p", deliveryVehicleId: "d1", deliveryVehicle: DeliveryVehicle()))
    func report(_ longitude: Double) throws -> LatLng? {
      try call(
        DeliveryServiceMethods.updateDeliveryVehicle,
        UpdateDeliveryVehicleRequest(
          deliveryVehicle: DeliveryVehicle(
            name: "providers/p/deliveryVehicles/d1",
            lastLocation: DeliveryVehicleLocation(location: .equator(longitude))),
          updateMask: ["last_location"])
      ).0.lastLocation?.location
    }
    #expect(try report(1) == .equator(1))
    let fault = try create(Fault(effect: .stuckLocation(Empty())))
    #expect(try report(2) == .equator(1))
    _ = try call(EmulatorServiceMethods.deleteFault, DeleteFaultRequest(name: fault.name))
    #expect(try report(3) == .equator(3))
  }

  // MARK: Errors

  private static let invalid: [(Fault, [String])] = [
    (Fault(), ["fault"]),
    (Fault(methods: ["GetTrip", "FlyTrip"], effect: .silence(Empty())), ["fault.methods[1]"]),
    (Fault(methods: ["a/GetTrip"], effect: .silence(Empty())), ["fault.methods[0]"]),
    (Fault(methods: [""], effect: .silence(Empty())), ["fault.methods[0]"]),
    (
      Fault(methods: Array(repeating: "GetTrip", count: 101), effect: .silence(Empty())),
      ["fault.methods"]
    ),
    (Fault(resource: "t1", effect: .silence(Empty())), ["fault.resource"]),
    (Fault(resource: "trips/a/b", effect: .silence(Empty())), ["fault.resource"]),
    (Fault(resource: "providers/p", effect: .silence(Empty())), ["fault.resource"]),
    (
      Fault(
        start: WireDuration(.seconds(-1)), duration: WireDuration(.zero), times: -1,
        effect: .latency(WireDuration(.zero))),
      ["fault.start", "fault.duration", "fault.times", "fault.latency"]
    ),
    (Fault(effect: .latency(WireDuration(.seconds(3_601)))), ["fault.latency"]),
    (Fault(effect: .status(RPCStatus())), ["fault.status.code"]),
    (Fault(effect: .status(RPCStatus(code: -1))), ["fault.status.code"]),
    (Fault(effect: .status(RPCStatus(code: 17))), ["fault.status.code"]),
    (
      Fault(effect: .status(RPCStatus(code: 14, message: String(repeating: "x", count: 1_001)))),
      ["fault.status.message"]
    ),
    (
      Fault(
        effect: .status(
          RPCStatus(
            code: 14,
            details: [AnyMessage(packing: DebugInfo(detail: String(repeating: "x", count: 4_096)))])
        )
      ), ["fault.status"]
    ),
    (Fault(effect: .quota(Quota(callsPerMinute: -1))), ["fault.quota.calls_per_minute"]),
    (
      Fault(
        methods: ["GetTrip"], resource: "trips/t1", times: 1, effect: .stuckLocation(Empty())),
      ["fault.methods", "fault.times", "fault.resource"]
    ),
  ]

  @Test(arguments: invalid) func invalidFieldsAreNamed(_ fault: Fault, _ fields: [String]) throws {
    let error = #expect(throws: EngineError.self) { try create(fault) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.fields == fields)
    #expect(try list() == [])
  }

  @Test func thereAreAtMost1000Faults() throws {
    let fault = Fault(times: 1, effect: .silence(Empty()))
    for _ in 0..<1_000 { try create(fault) }
    #expect(throws: EngineError.self) { try create(fault) }
    #expect(try failure()?.message == "silence")
    try create(fault)
  }

  @Test(arguments: ["", "faults/2", "faults/x", String(repeating: "x", count: 10_000)])
  func otherNamesAreNotFound(_ name: String) throws {
    try create(Fault(effect: .silence(Empty())))
    let error = #expect(throws: EngineError.self) {
      try call(EmulatorServiceMethods.deleteFault, DeleteFaultRequest(name: name))
    }
    #expect(error?.code == .notFound)
    #expect((error?.status.message.count ?? 0) < 300)
  }

  // MARK: Time and drives

  @Test(arguments: [nil, WireDuration(.seconds(-1)), WireDuration(.seconds(86_401))])
  func timeAdvancesByADayAtMost(_ duration: WireDuration?) {
    let error = #expect(throws: EngineError.self) {
      try call(EmulatorServiceMethods.advanceTime, AdvanceTimeRequest(duration: duration))
    }
    #expect(error?.fields == ["duration"])
  }

  @Test func theTimeOfAClockIsNotAdvanced() {
    let fleet = EmulatedFleet(time: .system)
    let error = #expect(throws: EngineError.self) { try fleet.advanceTime(by: .seconds(1)) }
    #expect(error?.code == .failedPrecondition)
  }

  @Test func timeEndsBeforeTheTimestampsDo() throws {
    let fleet = EmulatedFleet(
      time: .standing(EmulatorTime.latest + .seconds(-60)), demo: Traffic.Demo())
    #expect(try fleet.advanceTime(by: .seconds(60)) == EmulatorTime.latest)
    let error = #expect(throws: EngineError.self) { try fleet.advanceTime(by: .nanoseconds(1)) }
    #expect(error?.fields == ["duration"])
  }

  @Test func aDriveEndsWhenItSays() throws {
    let end = try #require(try drive("v3", "providers/p/vehicles/v3"))
    // 1,112 m at 10 m/s.
    #expect(abs(end.secondsSince1970 - 1_800_000_111.2) < 0.2)
    try advance(111)
    #expect(try vehicle("providers/p/vehicles/v3").lastLocation?.location != .equator(0.01))
    try advance(1)
    #expect(try vehicle("providers/p/vehicles/v3").lastLocation?.location == .equator(0.01))
  }

  private static let invalidDrives: [(DriveVehicleRequest, [String])] = [
    (DriveVehicleRequest(name: "v1"), ["name"]),
    (
      DriveVehicleRequest(
        name: "providers/p/vehicles/v1", points: [.equator(0), LatLng(latitude: 91, longitude: 0)],
        speed: 0.05, wait: WireDuration(.seconds(-1))), ["points[1]", "speed", "wait"]
    ),
    (DriveVehicleRequest(name: "providers/p/vehicles/v1", speed: .nan), ["speed"]),
    (DriveVehicleRequest(name: "providers/p/vehicles/v1", speed: .infinity), ["speed"]),
    (
      DriveVehicleRequest(
        name: "providers/p/vehicles/v1", points: [.equator(0)], encodedPolyline: "~"),
      ["encoded_polyline", "encoded_polyline"]
    ),
  ]

  @Test(arguments: invalidDrives)
  func invalidDrivesAreNamed(_ request: DriveVehicleRequest, _ fields: [String]) {
    let error = #expect(throws: EngineError.self) {
      try call(EmulatorServiceMethods.driveVehicle, request)
    }
    #expect(error?.fields == fields)
  }

  @Test func aDriveNeedsAVehicleOrARoute() {
    let error = #expect(throws: EngineError.self) {
      try call(
        EmulatorServiceMethods.driveVehicle,
        DriveVehicleRequest(name: "providers/p/vehicles/none"))
    }
    #expect(error?.code == .notFound)
  }
}
