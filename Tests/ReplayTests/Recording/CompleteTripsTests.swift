import FleetEngineAPI
import Testing
import WireProtobuf

@testable import Recording
@testable import Replay
@testable import WireGRPCServer

/// A recording of a trip that was polled by version stamps: most responses have only the changes.
@Suite struct CompleteTripsTests {
  private func trips(_ calls: [RecordedCall]) throws -> [Trip] {
    try calls.map { call in
      try Trip(serializedBytes: try #require(call.responses.first).bytes)
    }
  }

  @Test func nothingIsMissingOnTheWay() throws {
    let calls = try RecordedPeersTests.recording("trip").calls
    let told = try trips(calls)
    let whole = try trips(CompleteTrips.completed(calls))
    #expect(told.count { $0.route.isEmpty } > 50)
    #expect(whole.map(\.tripStatus) == told.map(\.tripStatus))
    for (trip, number) in zip(whole, 1...) where trip.tripStatus.isOnTheWay {
      #expect(trip.route.count == 12, "call \(number)")
      #expect(!trip.remainingWaypoints.isEmpty, "call \(number)")
      let paths = trip.remainingWaypoints.dropFirst().map(\.pathToWaypoint.count)
      #expect(paths.allSatisfy { $0 == 12 }, "call \(number)")
    }
  }

  @Test func keepsClearedFieldsCleared() throws {
    let whole = try trips(CompleteTrips.completed(RecordedPeersTests.recording("trip").calls))
    let last = try #require(whole.last)
    #expect(last.route.isEmpty && last.remainingWaypoints.isEmpty)
    let cleared = whole.filter { !$0.route.isEmpty && $0.currentRouteSegmentTraffic == nil }
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
  @Test func completesTripsWithAClock() throws {
    let calls = try RecordedPeersTests.recording("trip").calls
    var index = ResponseIndex(calls, speed: 1)
    let request = [calls[0].requests[0].bytes]
    let start = ContinuousClock.now
    _ = try index.response(to: calls[0].method, request, now: start)
    // The tenth call: its vehicle took over in the seventh.
    let answer = try index.response(to: calls[0].method, request, now: start + .seconds(47))
    guard case .message(let frame) = try #require(answer.steps.dropFirst().first).action else {
      Issue.record("no message: \(answer)")
      return
    }
    let trip = try Trip(serializedBytes: Array(frame.dropFirst(5)))
    #expect(trip.vehicleId == "v2")
    #expect(trip.route.count == 12)
  }

  /// A client without stamps, like most others, gets the trip to its end.
  @Test func completesTripsForClientsWithoutStamps() throws {
    let calls = try RecordedPeersTests.recording("trip").calls
    var index = ResponseIndex(calls)
    let bare = [calls[0].requests[0].bytes]
    let told = try trips(CompleteTrips.completed(calls))
    for trip in told {
      let answer = try index.response(to: calls[0].method, bare, now: .now)
      guard case .message(let frame) = try #require(answer.steps.dropFirst().first).action else {
        Issue.record("no message: \(answer)")
        return
      }
      #expect(try Trip(serializedBytes: Array(frame.dropFirst(5))) == trip)
    }
    #expect(told.last?.tripStatus == .complete)
  }
}

extension TripStatus {
  fileprivate var isOnTheWay: Bool { ![.new, .complete, .canceled].contains(self) }
}
