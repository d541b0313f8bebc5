import FleetEngineAPI
import TestSupport
import Testing
import WireGRPC
import WireGRPCClient

@testable import Recording
@testable import Replay
@testable import Tripwire

/// Follows the trips of interop/recordings over a channel, without pauses. The recordings come from
/// a simulated fleet that uses Google's generated types and grpcio.
@Suite struct RecordedTripsTests {
  /// The states of a trip that is followed to its end.
  private struct FollowedTrip {
    var trips: [Trip] = []
    var errors: [CallError] = []
    /// The time from each error to the next poll.
    var pauses: [Duration] = []

    /// The statuses without consecutive duplicates.
    var statuses: [TripStatus] {
      trips.map(\.tripStatus).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
  }

  private static func path(_ name: String) -> String {
    repositoryPath("interop/recordings/\(name).binlog")
  }

  private func served<Result>(
    _ name: String, _ body: (FleetServices) async throws -> Result
  ) async throws -> Result {
    let server = try ReplayServer(
      .recording(RecordedCalls([BinaryLogSource(opening: Self.path(name))])))
    let address = try await server.start()
    let result: Swift.Result<Result, any Error>
    do {
      let fleet = try FleetServices(
        providerID: "demo", endpoint: "\(address)",
        configuration: ChannelConfiguration(security: .plaintext, proxy: .none))
      result = .success(try await body(fleet))
      await fleet.close()
    } catch {
      result = .failure(error)
    }
    await server.stop()
    return try result.get()
  }

  private func followed(_ name: String) async throws -> FollowedTrip {
    try await served(name) { fleet in
      var follower = ResourceFollower<Trip>(name: "providers/demo/trips/t1")
      var result = FollowedTrip()
      var now = ContinuousClock.now
      follower.follow(at: now)
      // Time jumps to the next poll.
      while let time = follower.nextPoll {
        now = max(now, time)
        follower.wake(now: now)
        while let poll = follower.poll {
          do throws(CallError) {
            let options = CallOptions(timeout: .seconds(3600), retryPolicy: .never)
            let response = try await fleet.tripService.getTrip(poll.request, options: options)
            follower.answered(poll.id, response.message, now: now, random: 0.5)
          } catch {
            follower.failed(poll.id, error, now: now, random: 0)
            result.errors.append(error)
            result.pauses.append((follower.nextPoll ?? now) - now)
          }
        }
        if let trip = follower.snapshot.held?.resource { result.trips.append(trip) }
      }
      return result
    }
  }

  @Test func tripIsCompleteFromStartToEnd() async throws {
    let result = try await followed("trip")
    #expect(
      result.statuses == [
        .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete,
      ])
    #expect(result.errors.isEmpty)
    // Responses contain only changes, but a trip on its way is complete.
    for trip in result.trips.dropFirst(2).dropLast() {
      #expect(trip.route.count == 12)
      #expect(trip.remainingWaypoints.last?.waypointType == .dropOff)
      #expect(trip.remainingWaypoints.dropFirst().allSatisfy { $0.pathToWaypoint.count == 12 })
    }
    #expect(Set(result.trips.map(\.vehicleId)) == ["", "v1", "v2"])
    #expect(Set(result.trips.map(\.route)).count > 5)
    #expect(result.trips.contains { $0.currentRouteSegmentTraffic == nil && !$0.route.isEmpty })
  }

  @Test func canceledTripEnds() async throws {
    let result = try await followed("canceled")
    #expect(result.statuses == [.new, .enrouteToPickup, .canceled])
    #expect(result.trips.last?.route.isEmpty == true)
    #expect(result.errors.isEmpty)
  }

  @Test func requestedDelayIsObeyed() async throws {
    let result = try await followed("quota")
    #expect(result.statuses == [.enrouteToPickup, .complete])
    #expect(result.errors.map(\.code) == [.resourceExhausted, .resourceExhausted])
    #expect(result.pauses.allSatisfy { $0 >= .milliseconds(1500) })
    let quotas = result.errors.flatMap(\.details).compactMap { detail in
      if case .quotaFailure(let quota) = detail { quota.violations.first?.quotaId } else { nil }
    }
    #expect(quotas == ["GetTripPerMinute", "GetTripPerMinute"])
  }

  @Test func backoffGrowsWhileTheServerFlaps() async throws {
    let result = try await followed("flapping")
    #expect(result.statuses == [.enrouteToPickup, .complete])
    #expect(result.errors.map(\.code) == [.unavailable, .unavailable, .unavailable, .unavailable])
    #expect(result.errors.allSatisfy { $0.kind == .serverOrNetwork })
    // Two errors in a row, twice.
    #expect(result.pauses[1] > result.pauses[0])
    #expect(result.pauses[3] > result.pauses[2])
    #expect(result.pauses[2] == result.pauses[0])
  }

  /// Like an app, with real time. A slow reader receives only the newest state.
  @Test func modelReportsACanceledTrip() async throws {
    let (last, state) = try await served("canceled") { fleet in
      let model = fleet.tripService.tripModel(forTripName: "providers/demo/trips/t1")
      model.options = TripModelOptions(refreshInterval: .milliseconds(100))
      var last: TripUpdate?
      for await update in model.updates {
        last = update
        if update.state == .inactive { break }
      }
      return (last, model.state)
    }
    #expect(last?.trip?.tripStatus == .canceled)
    #expect(last?.failure == nil)
    #expect(state == .inactive)
  }

  @Test func everyStatusHasItsCodeAndDetails() async throws {
    let calls = try RecordedCalls([BinaryLogSource(opening: Self.path("statuses"))]).calls
    try await served("statuses") { fleet in
      var codes: Set<StatusCode> = []
      for call in calls where call.method == TripServiceMethods.getTrip.path {
        let request = try GetTripRequest(serializedBytes: call.requests[0])
        guard request.name.hasSuffix("-with-details") else { continue }
        let error = await #expect(throws: CallError.self) {
          try await fleet.tripService.getTrip(
            request, options: CallOptions(timeout: .seconds(3600), retryPolicy: .never))
        }
        #expect(error?.details.count == 10)
        #expect(error?.details.contains { if case .other = $0 { true } else { false } } == false)
        if let code = error?.code { codes.insert(code) }
      }
      #expect(codes.count == 16)
    }
  }
}
