import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

@Suite struct TripFollowerTests {
  private var follower = ResourceFollower<Trip>(name: "providers/p/trips/t")
  private var now = ContinuousClock.now

  private mutating func advance(_ seconds: Double) {
    now += .milliseconds(Int(seconds * 1000))
    follower.wake(now: now)
  }

  private mutating func respond(_ change: (inout Trip) -> Void = { _ in }) {
    var trip = Trip()
    trip.name = follower.name
    change(&trip)
    follower.answered(follower.poll?.id ?? 0, trip, now: now, random: 0.5)
  }

  private mutating func fail(_ code: StatusCode, _ message: String = "") {
    follower.failed(
      follower.poll?.id ?? 0, CallError(code: code, message: message, origin: .server), now: now,
      random: 0.5)
  }

  private mutating func follow() {
    follower.follow(at: now)
    follower.wake(now: now)
  }

  private var untilWake: Duration? { follower.wakeTime.map { $0.instant - now } }

  @Test mutating func pollsAtOnceAndThenOncePerInterval() {
    #expect(follower.snapshot.state == .inactive)
    #expect(follower.wakeTime == nil)
    follow()
    #expect(follower.snapshot.state == .active)
    #expect(follower.poll != nil)
    respond()
    #expect(follower.poll == nil)
    #expect(untilWake == .seconds(2.5))
    advance(2.4)
    #expect(follower.poll == nil)
    advance(0.1)
    #expect(follower.poll != nil)
    respond()
    #expect(untilWake == .seconds(5))
  }

  @Test mutating func onePollIsInFlight() {
    follow()
    let first = follower.poll?.id
    advance(60)
    #expect(follower.poll?.id == first)
  }

  @Test mutating func responseToAnotherPollIsIgnored() {
    follow()
    let old = follower.poll?.id ?? 0
    follower.unfollow()
    follow()
    #expect(follower.poll?.id != old)
    follower.answered(old, Trip(), now: now, random: 0)
    #expect(follower.snapshot.held == nil)
    follower.failed(
      old, CallError(code: .notFound, message: "", origin: .server), now: now, random: 0)
    #expect(follower.snapshot.failure == nil)
  }

  @Test mutating func suspendedFollowerDoesNotPoll() {
    follow()
    respond()
    follower.suspend(now: now)
    #expect(untilWake == .seconds(15))
    advance(100)
    #expect(follower.wakeTime == nil)
    #expect(follower.poll == nil)
    #expect(follower.snapshot.state == .active)
    #expect(follower.snapshot.isStale)
    follower.resume(now: now)
    follower.wake(now: now)
    #expect(follower.poll != nil)
  }

  @Test mutating func suspendCancelsThePoll() {
    follow()
    follower.suspend(now: now)
    #expect(follower.poll == nil)
    follower.resume(now: now)
    follower.wake(now: now)
    #expect(follower.poll != nil)
  }

  @Test mutating func followerStartsSuspended() {
    follower.suspend(now: now)
    follow()
    #expect(follower.poll == nil)
    #expect(follower.wakeTime == nil)
  }

  @Test mutating func continuingErrorIsOneFailure() {
    follow()
    fail(.unavailable)
    let first = follower.snapshot.failure
    #expect(first?.count == 1)
    advance(5)
    fail(.unavailable)
    #expect(follower.snapshot.failure?.since == first?.since)
    #expect(follower.snapshot.failure?.count == 2)
    advance(20)
    fail(.permissionDenied)
    #expect(follower.snapshot.failure?.count == 1)
    #expect(follower.snapshot.failure?.since == now)
    advance(5)
    respond()
    #expect(follower.snapshot.failure == nil)
  }

  @Test mutating func errorWithAnotherMessageIsAChange() {
    follow()
    fail(.unavailable, "refused")
    let first = follower.snapshot
    advance(5)
    fail(.unavailable, "refused")
    #expect(!follower.snapshot.isNews(since: first))
    advance(20)
    fail(.unavailable, "not trusted")
    #expect(follower.snapshot.isNews(since: first))
    // But it is the same outage.
    #expect(follower.snapshot.failure?.since == first.failure?.since)
    #expect(follower.snapshot.failure?.error.message == "not trusted")
  }

  @Test(arguments: ["", "providers/1234/trips/t", "another"])
  mutating func missingNameIsFilledIn(name: String) {
    follow()
    respond { $0.name = name }
    #expect(follower.snapshot.failure == nil)
    #expect(follower.snapshot.held?.resource.name == (name.isEmpty ? follower.name : name))
  }

  /// The server refuses a token, and later calls are not sent.
  @Test mutating func refusedTokenIsOneFailure() {
    func error(_ origin: CallError.Origin, _ message: String, _ reason: String) -> CallError {
      var error = CallError(code: .unauthenticated, message: message, origin: origin)
      error.underlyingError = TokenError.refused(reason: reason, retryAfter: nil, isOnly: false)
      return error
    }
    follow()
    follower.failed(
      follower.poll?.id ?? 0, error(.server, "expired", "refused; in 2 s"), now: now, random: 0.5)
    let first = follower.snapshot
    advance(10)
    follower.failed(
      follower.poll?.id ?? 0, error(.local, "refused; in 2 s", "refused; in 2 s"), now: now,
      random: 0.5)
    #expect(!follower.snapshot.isNews(since: first))
    #expect(follower.snapshot.failure?.since == first.failure?.since)
    advance(10)
    follower.failed(
      follower.poll?.id ?? 0, error(.server, "expired", "refused; in 4 s"), now: now, random: 0.5)
    #expect(follower.snapshot.isNews(since: first))
    #expect(follower.snapshot.failure?.count == 3)
  }

  @Test mutating func nextPollIsKnown() {
    #expect(follower.nextPoll == nil)
    follow()
    #expect(follower.nextPoll == nil)
    respond()
    #expect(follower.nextPoll == now + .seconds(2.5))
    follower.suspend(now: now)
    #expect(follower.nextPoll == nil)
  }

  @Test mutating func unrefreshedTripBecomesStale() {
    follow()
    respond()
    advance(2.5)
    fail(.unavailable)
    #expect(!follower.snapshot.isStale)
    advance(5)
    fail(.unavailable)
    // The next poll is due after that.
    #expect(untilWake == .seconds(7.5))
    advance(7.5)
    #expect(follower.snapshot.isStale)
    #expect(follower.snapshot.refreshed == now - .seconds(15))
    advance(1)
    respond()
    #expect(!follower.snapshot.isStale)
  }

  @Test mutating func tripBecomesStaleDuringAPoll() {
    follow()
    respond()
    advance(2.5)
    #expect(follower.poll != nil)
    #expect(untilWake == .seconds(12.5))
    advance(12.5)
    #expect(follower.snapshot.isStale)
    #expect(follower.wakeTime == nil)
  }

  @Test mutating func stalenessFollowsTheCurrentInterval() {
    follow()
    respond()
    advance(2.5)
    let poll = follower.poll?.id
    follower.options.refreshInterval = .seconds(2)
    #expect(untilWake == .seconds(3.5))
    advance(3.5)
    #expect(follower.snapshot.isStale)
    follower.options.refreshInterval = .seconds(60)
    advance(0)
    #expect(!follower.snapshot.isStale)
    #expect(untilWake == .seconds(174))
    advance(173.9)
    #expect(!follower.snapshot.isStale)
    advance(0.1)
    #expect(follower.snapshot.isStale)
    #expect(follower.poll?.id == poll)
  }

  @Test mutating func shorterIntervalBringsThePollForward() {
    follow()
    respond()
    advance(2.5)
    respond()
    follower.options.refreshInterval = .seconds(1)
    #expect(untilWake == .seconds(1))
  }

  @Test mutating func shorterIntervalKeepsThePauseAfterAnError() {
    follow()
    fail(.unavailable)
    let pause = untilWake
    follower.options.refreshInterval = .milliseconds(100)
    #expect(untilWake == pause)
  }

  @Test mutating func optionsAreSentWithTheNextRequest() {
    var header = RequestHeader()
    header.languageCode = "de"
    follower.options = TripModelOptions(
      header: header, routeFormat: .encodedPolylineType, view: .journeySharingV1s)
    follow()
    var expected = GetTripRequest()
    expected.name = "providers/p/trips/t"
    expected.header = header
    expected.routeFormatType = .encodedPolylineType
    expected.view = .journeySharingV1s
    #expect(follower.poll?.request == expected)
  }

  private mutating func respondWithStamp() {
    respond {
      $0.route = [LatLng(latitude: 1, longitude: 1)]
      $0.currentRouteSegmentVersion = .init(seconds: 7)
    }
    advance(5)
  }

  @Test mutating func stampsAreSent() {
    follow()
    respondWithStamp()
    #expect(follower.poll?.request.currentRouteSegmentVersion?.seconds == 7)
  }

  @Test(arguments: [StatusCode.notFound, .internal, .dataLoss])
  mutating func completeTripIsRequestedAfterSomeErrors(code: StatusCode) {
    follow()
    respondWithStamp()
    fail(code)
    advance(20)
    #expect(follower.poll?.request.currentRouteSegmentVersion == nil)
    #expect(follower.snapshot.held != nil)
  }

  @Test mutating func olderResponseIsIgnored() {
    follow()
    respondWithStamp()
    let before = follower.snapshot
    respond { $0.currentRouteSegmentVersion = .init(seconds: 6) }
    #expect(!follower.snapshot.isNews(since: before))
    #expect(follower.snapshot.refreshed == before.refreshed)
    advance(5)
    // If the server repeats it, it is accepted.
    #expect(follower.poll?.request.currentRouteSegmentVersion == nil)
    respond { $0.currentRouteSegmentVersion = .init(seconds: 6) }
    #expect(follower.snapshot.held?.resource.currentRouteSegmentVersion?.seconds == 6)
  }

  @Test mutating func missingPartsAreRequestedAtOnce() {
    follow()
    respondWithStamp()
    let id = follower.poll?.id
    respond { $0.vehicleId = "another" }
    #expect(follower.poll != nil && follower.poll?.id != id)
    #expect(follower.poll?.request.currentRouteSegmentVersion == nil)
    #expect(follower.snapshot.held?.resource.vehicleId == "")
    respond { $0.vehicleId = "another" }
    #expect(follower.snapshot.held?.resource.vehicleId == "another")
    #expect(follower.snapshot.held?.resource.route == [])
  }

  private mutating func respond(_ exchange: ExchangeFingerprint, trip status: TripStatus) {
    var trip = Trip()
    trip.tripStatus = status
    follower.answered(
      follower.poll?.id ?? 0, trip, exchange: { exchange }, now: now, random: 0.5)
  }

  @Test mutating func equalResponseConfirmsTheTrip() {
    let exchange = ExchangeFingerprint(of: [1], [2])
    for other in [ExchangeFingerprint(of: [1], [3]), ExchangeFingerprint(of: [1, 2], [])] {
      #expect(other != exchange)
    }
    follow()
    respond(exchange, trip: .enrouteToPickup)
    // The response changed the trip, and the next one probably does, too.
    #expect(follower.lastExchange == nil)
    advance(5)
    respond(exchange, trip: .enrouteToPickup)
    #expect(follower.lastExchange == exchange)
    let held = follower.snapshot.held
    advance(5)
    fail(.unavailable)
    #expect(follower.lastExchange == exchange)
    advance(5)
    follower.confirmed(follower.poll?.id ?? 0, now: now, random: 0.5)
    #expect(follower.snapshot.held === held)
    #expect(follower.snapshot.refreshed == now)
    #expect(follower.snapshot.failure == nil)
    #expect(untilWake == .seconds(5))
  }

  @Test mutating func responseOfAnotherPollConfirmsNothing() {
    let exchange = ExchangeFingerprint(of: [1], [2])
    follow()
    respond(exchange, trip: .enrouteToPickup)
    let refreshed = follower.snapshot.refreshed
    advance(5)
    follower.confirmed((follower.poll?.id ?? 0) - 1, now: now, random: 0.5)
    #expect(follower.snapshot.refreshed == refreshed)
    #expect(follower.poll != nil)
  }

  @Test(arguments: [StatusCode.notFound, .internal, .dataLoss])
  mutating func responseIsDecodedAfterAnErrorThatEndsTheTrip(code: StatusCode) {
    let exchange = ExchangeFingerprint(of: [1], [2])
    follow()
    respond(exchange, trip: .enrouteToPickup)
    advance(5)
    respond(exchange, trip: .enrouteToPickup)
    #expect(follower.lastExchange != nil)
    advance(5)
    fail(code)
    #expect(follower.lastExchange == nil)
  }
}
