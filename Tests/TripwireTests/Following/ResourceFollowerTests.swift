import FleetEngineAPI
import Testing
import WireGRPC

@testable import Tripwire

@Suite struct ResourceFollowerTests {
  var follower = ResourceFollower<Trip>(name: "providers/p/trips/t")
  var now = ContinuousClock.now

  mutating func advance(_ seconds: Double) {
    now += .milliseconds(Int(seconds * 1000))
    follower.wake(now: now)
  }

  mutating func respond(_ change: (inout Trip) -> Void = { _ in }) {
    var trip = Trip(name: follower.name)
    change(&trip)
    follower.answered(follower.poll?.id ?? 0, trip, now: now, random: 0.5)
  }

  mutating func fail(_ code: StatusCode, _ message: String = "") {
    fail(CallError(code: code, message: message, origin: .server))
  }

  private mutating func fail(_ error: CallError) {
    follower.failed(follower.poll?.id ?? 0, error, now: now, random: 0.5)
  }

  mutating func follow() {
    follower.follow(at: now)
    follower.wake(now: now)
  }

  var untilWake: Duration? { follower.wakeTime.map { $0.instant - now } }

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

  @Test mutating func latePollsAreCountedWhenTheyEnd() {
    follow()
    now += .seconds(5)
    respond()
    #expect(follower.pollStatus.lateCount == 0)
    // Due after 2.5 s by the begin of the last poll, so at once.
    advance(0)
    now += .seconds(5.001)
    #expect(follower.pollStatus.lateCount == 0)
    respond()
    #expect(follower.pollStatus.lateCount == 1)
    // It begins late, and fails.
    advance(30)
    fail(.unavailable)
    #expect(follower.pollStatus.lateCount == 2)
    // A pause after an error is on purpose.
    let pause = (follower.pollStatus.next ?? now) - now
    #expect(pause > .seconds(1))
    now += pause
    advance(0)
    respond()
    #expect(follower.pollStatus.lateCount == 2)
    follower.unfollow()
    follow()
    #expect(follower.pollStatus.lateCount == 0)
  }

  @Test mutating func pollOfAShortIntervalIsLateAfterASecond() {
    follower.options.refreshInterval = .milliseconds(200)
    follow()
    now += .seconds(1)
    respond()
    #expect(follower.pollStatus.lateCount == 0)
    advance(0)
    now += .seconds(1.001)
    respond()
    #expect(follower.pollStatus.lateCount == 1)
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
    fail(error(.server, "expired", "refused; in 2 s"))
    let first = follower.snapshot
    advance(10)
    fail(error(.local, "refused; in 2 s", "refused; in 2 s"))
    #expect(!follower.snapshot.isNews(since: first))
    #expect(follower.snapshot.failure?.since == first.failure?.since)
    advance(10)
    fail(error(.server, "expired", "refused; in 4 s"))
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
    let header = RequestHeader(languageCode: "de")
    follower.options = TripModelOptions(
      header: header, routeFormat: .encodedPolylineType, view: .journeySharingV1s)
    follow()
    let expected = GetTripRequest(
      header: header, name: "providers/p/trips/t", view: .journeySharingV1s,
      routeFormatType: .encodedPolylineType)
    #expect(follower.poll?.request == expected)
  }
}
