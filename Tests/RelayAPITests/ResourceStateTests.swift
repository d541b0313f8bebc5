import FleetEngineAPI
import FleetEngineDeliveryAPI
import Testing
import WireGRPC
import WireProtobuf

@testable import RelayAPI
@testable import Tripwire

@Suite struct ResourceStateTests {
  private let name = "providers/p/trips/t"
  private let time = StateTime(
    instant: .now, timestamp: Timestamp(seconds: 1_700_000_000, nanos: 7))

  private func trip(_ distance: Int32) -> Trip {
    return Trip(
      name: name, tripStatus: .enrouteToPickup,
      currentRouteSegmentVersion: Timestamp(seconds: 9, nanos: 0), remainingDistanceMeters: distance
    )
  }

  @Test func stateHasTheTripAndItsChanges() throws {
    let (old, new) = (EncodedResource(trip(1)), EncodedResource(trip(2)))
    let state = ResourceState(
      name: name, changesOf: new, since: old, failure: nil, refreshed: time.instant,
      refreshInterval: .seconds(5), at: time)
    let received = try ResourceState(serializedBytes: new.serializedBytes(in: state))
    #expect(received.trip == trip(2))
    #expect(received.changed?.paths == ["remaining_distance_meters"])
    #expect(received.pollTime == time.timestamp && received.refreshTime == time.timestamp)
    #expect(received.refreshInterval == WireDuration(.seconds(5)))
    let now = ContinuousClock.now
    let report = TripReport(received, received: now)
    #expect(report.trip == trip(2) && report.age == .zero && report.failure == nil)
    #expect(report.refreshInterval == .seconds(5) && !report.isSourceDisconnected)
  }

  @Test func agesDoNotDependOnTheClockOfTheReader() throws {
    let error = CallError(code: .notFound, message: "no trip", origin: .server)
    var state = ResourceState(
      name: name, changesOf: EncodedResource(trip(1)), since: EncodedResource(trip(1)),
      failure: TripFailure(error: error, since: time.instant - .milliseconds(2_500), count: 4),
      refreshed: time.instant - .seconds(8), refreshInterval: .seconds(5), at: time)
    state.age = WireDuration(.seconds(3))
    let now = ContinuousClock.now
    let report = TripReport(state, received: now)
    #expect(report.age == .seconds(11))
    #expect(report.failure?.since == now - .milliseconds(5_500))
    #expect(report.failure?.count == 4 && report.failure?.error.code == .notFound)
    #expect(state.changed?.paths == [])
  }

  /// A worker repeats an error with every second poll, so an older one says nothing about the present.
  @Test(arguments: [(Duration.seconds(14), true), (.seconds(16), false)])
  func oldErrorIsNotReported(age: Duration, isReported: Bool) {
    let error = CallError(code: .notFound, message: "no trip", origin: .server)
    var state = ResourceState(
      name: name, changesOf: EncodedResource(trip(1)), since: nil,
      failure: TripFailure(error: error, since: time.instant), refreshed: time.instant,
      refreshInterval: .seconds(5), at: time)
    state.age = WireDuration(age)
    let report = TripReport(state, received: .now)
    #expect((report.failure != nil) == isReported && report.age == age)
  }

  @Test func timesOfAnyValueAreAccepted() {
    var state = ResourceState(
      error: PollError(since: Timestamp(seconds: .min, nanos: 0), count: .max),
      pollTime: Timestamp(seconds: .max, nanos: .max),
      refreshTime: Timestamp(seconds: .min, nanos: .min),
      refreshInterval: WireDuration(seconds: .min, nanos: .min),
      age: WireDuration(seconds: .max, nanos: .max))
    let report = TripReport(state, received: .now)
    #expect(report.age == .seconds(2 * 315_576_000_000))
    #expect(report.refreshInterval == .seconds(1))
    state.age = WireDuration(.seconds(-5))
    state.refreshTime = state.pollTime
    #expect(TripReport(state, received: .now).age == .zero)
  }

  @Test func timesBefore1970AreNormalized() {
    let early = StateTime(instant: time.instant, timestamp: Timestamp(seconds: 0, nanos: 5))
    #expect(
      early.timestamp(of: time.instant - .nanoseconds(6))
        == Timestamp(seconds: -1, nanos: 999_999_999))
  }

  @Test func errorOfTheRelayIsReportedWithTheLastTrip() {
    var state = ResourceState(
      name: name, changesOf: nil, since: nil, failure: nil, refreshed: time.instant,
      refreshInterval: .seconds(5), at: time)
    state.resource = .trip(trip(1))
    state.relayError = RPCStatus(code: 14, message: "no connection to NATS")
    let report = TripReport(state, received: .now)
    #expect(report.isSourceDisconnected && report.trip == trip(1))
    let error = report.failure?.error
    #expect(error?.message == "the relay sends no states: no connection to NATS")
    #expect(error?.code == .unavailable && error?.kind == .serverOrNetwork)
  }

  @Test func stateHasResourcesOfEachKind() throws {
    try check(.vehicle(Vehicle(name: "providers/p/vehicles/v")), isFinal: false)
    try check(
      .deliveryVehicle(DeliveryVehicle(name: "providers/p/deliveryVehicles/v")), isFinal: false)
    try check(.task(DeliveryTask(name: "providers/p/tasks/t", state: .open)), isFinal: false)
    try check(.task(DeliveryTask(name: "providers/p/tasks/t", state: .closed)), isFinal: true)
    try check(
      .taskTrackingInfo(TaskTrackingInfo(name: "providers/p/taskTrackingInfo/i", state: .closed)),
      isFinal: true)
  }

  private func check(_ resource: ResourceState.Resource, isFinal: Bool) throws {
    let encoded = EncodedResource(resource.message)
    let bytes = encoded.serializedBytes(in: ResourceState(name: "n", sequence: 7))
    let state = try ResourceState(serializedBytes: bytes)
    #expect(state.resource == resource && state.name == "n" && state.sequence == 7)
    #expect(encoded.isFinal == isFinal && state.isFinal == isFinal)
    #expect(encoded.changes(since: nil).paths.contains("name"))
    #expect(encoded.changes(since: encoded).paths.isEmpty)
  }

  @Test func reportHasNoResourceOfAnotherKind() {
    let state = ResourceState(name: name, resource: .trip(trip(1)))
    #expect(ResourceReport<Trip>(state, received: .now).resource == trip(1))
    #expect(ResourceReport<Vehicle>(state, received: .now).resource == nil)
  }
}
