import FleetEngineAPI
import Testing
import WireProtobuf

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

/// The recorded trip was polled with version stamps, so most responses contain only changes.
@Suite struct CompleteTripsTests {
  private func trips(_ calls: [RecordedCall]) throws -> [Trip] {
    try calls.map { call in
      try Trip(serializedBytes: try #require(call.responses.first))
    }
  }

  @Test func activeTripsAreComplete() throws {
    let calls = try RecordedPeersTests.recording("trip").calls
    let recorded = try trips(calls)
    let completed = try trips(CompleteTrips.completed(calls))
    #expect(recorded.count { $0.route.isEmpty } > 50)
    #expect(completed.map(\.tripStatus) == recorded.map(\.tripStatus))
    for (trip, number) in zip(completed, 1...) where trip.tripStatus.isActive {
      #expect(trip.route.count == 12, "call \(number)")
      #expect(!trip.remainingWaypoints.isEmpty, "call \(number)")
      let paths = trip.remainingWaypoints.dropFirst().map(\.pathToWaypoint.count)
      #expect(paths.allSatisfy { $0 == 12 }, "call \(number)")
    }
  }

  @Test func keepsClearedFieldsCleared() throws {
    let completed = try trips(CompleteTrips.completed(RecordedPeersTests.recording("trip").calls))
    let last = try #require(completed.last)
    #expect(last.route.isEmpty && last.remainingWaypoints.isEmpty)
    let cleared = completed.filter { !$0.route.isEmpty && $0.currentRouteSegmentTraffic == nil }
    #expect(cleared.count > 5)
    #expect(cleared.allSatisfy { $0.tripStatus == .enrouteToDropoff })
  }

  @Test func keepsCompleteTrips() throws {
    for name in ["demo", "methods", "statuses", "streams"] {
      let calls = try RecordedPeersTests.recording(name).calls
      #expect(CompleteTrips.completed(calls) == calls)
    }
  }

  /// A client with the clock gets the route, even if it misses the call that had it.
  @Test func timedResponsesAreComplete() throws {
    let calls = try RecordedPeersTests.recording("trip").calls
    var index = ResponseIndex(calls, speed: 1)
    let request = [calls[0].requests[0]]
    let start = ContinuousClock.now
    _ = try index.response(to: calls[0].method, request, now: start)
    // The response of the tenth call. The vehicle was replaced in the seventh.
    let response = try index.response(to: calls[0].method, request, now: start + .seconds(47))
    guard case .message(let frame) = try #require(response.steps.dropFirst().first).action else {
      Issue.record("no message: \(response)")
      return
    }
    let trip = try Trip(serializedBytes: Array(frame.dropFirst(5)))
    #expect(trip.vehicleId == "v2")
    #expect(trip.route.count == 12)
  }

  /// A client that sends no version stamps gets the complete trip in each response.
  @Test func clientsWithoutVersionStampsGetCompleteTrips() throws {
    let calls = try RecordedPeersTests.recording("trip").calls
    var index = ResponseIndex(calls)
    let bare = [calls[0].requests[0]]
    let recorded = try trips(CompleteTrips.completed(calls))
    for trip in recorded {
      let response = try index.response(to: calls[0].method, bare, now: .now)
      guard case .message(let frame) = try #require(response.steps.dropFirst().first).action else {
        Issue.record("no message: \(response)")
        return
      }
      #expect(try Trip(serializedBytes: Array(frame.dropFirst(5))) == trip)
    }
    #expect(recorded.last?.tripStatus == .complete)
  }
}

extension TripStatus {
  fileprivate var isActive: Bool { ![.new, .complete, .canceled].contains(self) }
}
