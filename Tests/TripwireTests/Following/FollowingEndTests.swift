import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

/// How following ends: with the trip, or because the services are closed.
@Suite struct FollowingEndTests {
  private var follower = ResourceFollower<Trip>(name: "providers/p/trips/t")
  private var now = ContinuousClock.now
  private let closed = CallError.closedServices(path: "/p")

  private mutating func follow() {
    follower.follow(at: now)
    follower.wake(now: now)
  }

  private mutating func respond(_ status: TripStatus) {
    follower.answered(
      follower.poll?.id ?? 0, Trip(name: follower.name, tripStatus: status), now: now, random: 0.5)
  }

  private mutating func advance(_ seconds: Int) {
    now += .seconds(seconds)
    follower.wake(now: now)
  }

  private func expectEnd() {
    #expect(follower.snapshot.state == .inactive)
    #expect(follower.wakeTime == nil && follower.nextPoll == nil && follower.poll == nil)
  }

  @Test(arguments: [TripStatus.complete, .canceled])
  mutating func followingEndsWithTheTrip(status: TripStatus) {
    follow()
    respond(status)
    #expect(follower.snapshot.held?.resource.tripStatus == status)
    expectEnd()
    #expect(follower.snapshot.staleTime == nil)
    advance(1000)
    #expect(!follower.snapshot.isStale)
  }

  @Test(arguments: [true, false])
  mutating func finalTripIsNotFollowedAgain(isPolled: Bool) {
    follower = ResourceFollower(name: follower.name, isPolled: isPolled)
    follow()
    if isPolled { respond(.complete) } else { report(.complete) }
    follow()
    expectEnd()
    #expect(!follower.isReceiving && follower.snapshot.failure == nil)
  }

  private mutating func report(_ status: TripStatus) {
    follower.received(TripReport(trip: Trip(tripStatus: status)), now: now)
  }

  @Test mutating func closingCancelsThePoll() {
    follow()
    let poll = follower.poll?.id ?? 0
    follower.close(closed, now: now)
    expectEnd()
    #expect(follower.snapshot.failure?.error == closed)
    follower.answered(poll, Trip(tripStatus: .new), now: now, random: 0.5)
    follower.failed(
      poll, CallError(code: .notFound, message: "", origin: .server), now: now, random: 0.5)
    #expect(follower.snapshot.held == nil && follower.snapshot.failure?.error == closed)
  }

  @Test mutating func closedTripIsNotFollowedAgain() {
    follow()
    respond(.new)
    advance(1)
    follower.close(closed, now: now)
    let failure = follower.snapshot.failure
    advance(1)
    follower.close(closed, now: now)
    follower.unfollow()
    follower.suspend(now: now)
    follower.resume(now: now)
    follow()
    expectEnd()
    #expect(follower.snapshot.failure == failure && failure?.since == now - .seconds(1))
    #expect(follower.snapshot.held?.resource.tripStatus == .new)
  }

  @Test mutating func closedSourceIsNotAsked() {
    follower = ResourceFollower(name: follower.name, isPolled: false)
    follow()
    report(.new)
    follower.close(closed, now: now)
    report(.arrivedAtPickup)
    #expect(!follower.isReceiving && follower.snapshot.held?.resource.tripStatus == .new)
    expectEnd()
  }

  @Test mutating func finalTripHasNoFailureAfterClosing() {
    follow()
    respond(.complete)
    follower.close(closed, now: now)
    expectEnd()
    #expect(follower.snapshot.failure == nil)
  }
}
