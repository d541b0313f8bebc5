import FleetEngineAPI
import Testing
import WireGRPC
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

  /// The recorded client had the paths to the stops that are left after a vehicle passed the first one.
  @Test(arguments: ["v1", "v2"])
  func remainingStopsKeepTheirPathsAfterOneIsPassed(vehicle: String) throws {
    let stamp = Timestamp(seconds: 1)
    func stop(_ degrees: Double, path: [LatLng] = []) -> TripWaypoint {
      TripWaypoint(
        location: TerminalLocation(point: LatLng(latitude: degrees, longitude: 0)),
        waypointType: .intermediateDestination, pathToWaypoint: path)
    }
    let paths = (1...3).map { [LatLng(latitude: Double($0), longitude: 1)] }
    let first = Trip(
      name: "t", vehicleId: "v1",
      remainingWaypoints: (1...3).map { stop(Double($0), path: paths[$0 - 1]) },
      remainingWaypointsVersion: stamp, remainingWaypointsRouteVersion: stamp)
    let second = Trip(
      name: "t", vehicleId: vehicle, remainingWaypoints: [stop(2), stop(3)],
      remainingWaypointsVersion: Timestamp(seconds: 2), remainingWaypointsRouteVersion: stamp)
    let bare = GetTripRequest(name: "t")
    var stamped = bare
    stamped.remainingWaypointsVersion = stamp
    stamped.remainingWaypointsRouteVersion = stamp
    let calls = [(bare, first), (stamped, second)].map { request, trip in
      Recordings.call(
        1, TripServiceMethods.getTrip.path, [request.serializedBytes()],
        responses: [trip.serializedBytes()])
    }
    var index = ResponseIndex(calls)
    let replayed = try calls.map { call in
      let response = try index.response(
        to: call.method, [bare.serializedBytes()], now: ContinuousClock.now)
      return try Trip(serializedBytes: try #require(response.frames.last).dropFirst(5))
    }
    #expect(replayed[0] == first)
    #expect(replayed[1].remainingWaypoints.map(\.pathToWaypoint) == Array(paths.dropFirst()))
  }

  private static func call(_ sent: Int64?, _ trip: Trip) -> RecordedCall {
    var request = GetTripRequest(name: "t")
    request.currentRouteSegmentVersion = sent.map { Timestamp(seconds: $0) }
    return Recordings.call(
      1, TripServiceMethods.getTrip.path, [request.serializedBytes()],
      responses: [trip.serializedBytes()])
  }

  private static func trip(_ vehicle: String, _ version: Int64?, _ route: String = "") -> Trip {
    Trip(
      name: "t", vehicleId: vehicle, currentRouteSegment: route,
      currentRouteSegmentVersion: version.map { Timestamp(seconds: $0) })
  }

  @Test func tripThatLosesItsVehicleLosesItsRoute() throws {
    let calls = [
      Self.call(nil, Self.trip("v1", 1, "abc")), Self.call(1, Self.trip("", nil)),
      Self.call(1, Self.trip("v2", nil)),
    ]
    #expect(CompleteTrips.completed(calls) == calls)
  }

  /// Another client, or a later response, may have had another version.
  @Test func routeOfAnotherVersionIsNotAdded() throws {
    let calls = [
      Self.call(nil, Self.trip("v", 1, "abc")), Self.call(nil, Self.trip("v", 2, "def")),
      Self.call(1, Self.trip("v", 1)),
    ]
    #expect(CompleteTrips.completed(calls) == calls)
  }
}

extension TripStatus {
  fileprivate var isActive: Bool { ![.new, .complete, .canceled].contains(self) }
}
