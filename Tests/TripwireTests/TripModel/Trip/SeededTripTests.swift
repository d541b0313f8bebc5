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
    #expect(follower.snapshot.held?.trip.vehicleId == "v1")
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
    follower.seed(ReceivedTrip(Trip(name: "other")), form: 0, refreshed: start)
    #expect(follower.snapshot.held?.trip.vehicleId == "v1")
  }

  private func seeded(view: TripView) -> ResourceFollower<TripModel> {
    var follower = ResourceFollower<TripModel>(name: "providers/p/trips/t1")
    var trip = Trip(name: "providers/p/trips/t1")
    trip.vehicleId = "v1"
    trip.currentRouteSegmentVersion = Timestamp(seconds: 7)
    follower.seed(
      ReceivedTrip(trip), form: Trip.form(of: GetTripRequest(view: view)),
      refreshed: start - .seconds(3))
    return follower
  }
}
