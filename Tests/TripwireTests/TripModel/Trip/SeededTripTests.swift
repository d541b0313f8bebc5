import FleetEngineAPI
import Testing

@testable import Tripwire

/// A follower that starts with a trip that another process received.
@Suite struct SeededTripTests {
  private let start = ContinuousClock.now

  @Test func firstPollSendsTheStampsOfTheSeededTrip() throws {
    var follower = seeded(view: .sdk)
    follower.options.view = .sdk
    follower.follow(at: start)
    follower.wake(now: start)
    let poll = try #require(follower.poll)
    #expect(poll.request.currentRouteSegmentVersion == Timestamp(seconds: 7))
    #expect(follower.snapshot.held?.resource.vehicleId == "v1")
    #expect(follower.snapshot.refreshed == start - .seconds(3))
  }

  @Test func otherFormsGetACompleteResponse() throws {
    var follower = seeded(view: .unspecified)
    follower.options.view = .sdk
    follower.follow(at: start)
    follower.wake(now: start)
    let poll = try #require(follower.poll)
    #expect(poll.request.currentRouteSegmentVersion == nil)
  }

  @Test func followedTripIsNotReplaced() throws {
    var follower = seeded(view: .sdk)
    follower.follow(at: start)
    follower.seed(Trip(name: "other"), TripRequestOptions(), refreshed: start)
    #expect(follower.snapshot.held?.resource.vehicleId == "v1")
  }

  private func seeded(view: TripView) -> ResourceFollower<Trip> {
    var follower = ResourceFollower<Trip>(name: "providers/p/trips/t1")
    var trip = Trip(name: "providers/p/trips/t1")
    trip.vehicleId = "v1"
    trip.currentRouteSegmentVersion = Timestamp(seconds: 7)
    follower.seed(
      trip, TripRequestOptions(view: view, routeFormat: .unknownFormatType),
      refreshed: start - .seconds(3))
    return follower
  }
}
