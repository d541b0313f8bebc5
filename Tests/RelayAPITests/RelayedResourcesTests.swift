import FleetEngineAPI
import Synchronization
import Testing
import WireProtobuf

@testable import RelayAPI
@testable import Tripwire

@Suite struct RelayedResourcesTests {
  private final class Receiver: Sendable {
    let reports = Mutex<[TripReport]>([])
    var distances: [Int32?] { reports.withLock { $0.map { $0.trip?.remainingDistanceMeters } } }

    func follow(_ name: ResourceName, of trips: RelayedResources) -> @Sendable () -> Void {
      trips.follow(name) { [self] (report: TripReport) in reports.withLock { $0.append(report) } }
    }
  }

  private let name: ResourceName

  init() throws {
    name = try ResourceName("providers/p/trips/t")
  }

  private func state(
    _ distance: Int32, at sequence: UInt64 = 0, of stream: Int64? = nil,
    status: TripStatus = .enrouteToPickup
  ) -> ResourceState {
    let trip = Trip(tripStatus: status, remainingDistanceMeters: distance)
    return ResourceState(
      name: name.description, resource: .trip(trip), streamSequence: sequence,
      streamTime: stream.map { Timestamp(seconds: $0, nanos: 0) })
  }

  @Test func statesAreDistributedByName() throws {
    let trips = RelayedResources()
    let (one, other) = (Receiver(), Receiver())
    _ = one.follow(name, of: trips)
    _ = other.follow(try ResourceName("providers/p/trips/u"), of: trips)
    trips.take(state(1))
    #expect(one.distances == [1])
    #expect(other.distances == [])
    trips.take(ResourceState(relayError: .init()))
    #expect(one.reports.withLock { $0.last?.isSourceDisconnected } == true)
    #expect(other.reports.withLock { $0.last?.isSourceDisconnected } == true)
  }

  @Test func stateBeforeTheFirstReaderIsKept() {
    let trips = RelayedResources([name])
    let past = ContinuousClock.now - .seconds(60)
    trips.take(state(1), at: past)
    let receiver = Receiver()
    _ = receiver.follow(name, of: trips)
    #expect(receiver.distances == [1])
    #expect(receiver.reports.withLock { $0[0].age >= .seconds(60) })
  }

  @Test func transportFollowsWhileThereAreReaders() {
    let calls = SharedCalls()
    let trips = RelayedResources(
      willFollow: { name in calls.add("follow \(name.id)") },
      didStop: { name in calls.add("stop \(name.id)") })
    let (one, other) = (Receiver(), Receiver())
    let stops = [one.follow(name, of: trips), other.follow(name, of: trips)]
    trips.take(state(1))
    #expect(one.distances == [1] && other.distances == [1])
    stops[0]()
    stops[0]()
    trips.take(state(2))
    #expect(one.distances == [1] && other.distances == [1, 2])
    stops[1]()
    #expect(calls.all == ["follow t", "stop t"])
  }

  @Test func terminalStatusEndsATrip() {
    let trips = RelayedResources([name])
    #expect(!trips.areOver)
    trips.take(state(1))
    #expect(!trips.areOver)
    trips.take(state(0, status: .complete))
    #expect(trips.areOver)
  }
}

private final class SharedCalls: Sendable {
  private let calls = Mutex<[String]>([])
  var all: [String] { calls.withLock { $0 } }
  func add(_ call: String) { calls.withLock { $0.append(call) } }
}
