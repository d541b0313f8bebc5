import Testing

@testable import WireGRPCServer

@Suite struct ConnectionLifecycleTests {
  let start = ContinuousClock.now
  let limits = ServerLimits()

  func isOverdue(
    _ lifecycle: ConnectionLifecycle, after seconds: Int, hasSettings: Bool = true,
    isHeldUp: Bool = false, isCrowded: Bool = false
  ) -> Bool {
    lifecycle.isOverdue(
      hasSettings: hasSettings, isHeldUp: isHeldUp, limits, isCrowded: isCrowded,
      now: start + .seconds(seconds))
  }

  @Test func handshakeTimeIsShorterWhileOthersWait() {
    let lifecycle = ConnectionLifecycle(now: start)
    #expect(!isOverdue(lifecycle, after: 10, hasSettings: false))
    #expect(isOverdue(lifecycle, after: 11, hasSettings: false))
    #expect(!isOverdue(lifecycle, after: 2, hasSettings: false, isCrowded: true))
    #expect(isOverdue(lifecycle, after: 3, hasSettings: false, isCrowded: true))
    #expect(!isOverdue(lifecycle, after: 11))
  }

  @Test func stallTimeCountsFromTheLastProgress() {
    var lifecycle = ConnectionLifecycle(now: start)
    lifecycle.progressed(now: start + .seconds(5))
    #expect(!isOverdue(lifecycle, after: 35, isHeldUp: true))
    #expect(isOverdue(lifecycle, after: 36, isHeldUp: true))
    #expect(!isOverdue(lifecycle, after: 36))
    lifecycle.enter(.draining, now: start)
    #expect(isOverdue(lifecycle, after: 36, isHeldUp: true))
  }

  @Test func silentClientGetsOnePing() {
    var lifecycle = ConnectionLifecycle(now: start)
    func pings(after seconds: Int, isBusy: Bool = true) -> Bool {
      lifecycle.shouldPing(isBusy: isBusy, limits, now: start + .seconds(seconds))
    }
    var sent = [
      pings(after: 60), pings(after: 61, isBusy: false), pings(after: 61), pings(after: 62),
    ]
    #expect(sent == [false, false, true, false])
    #expect(isOverdue(lifecycle, after: 82))
    lifecycle.received(now: start + .seconds(82))
    #expect(!isOverdue(lifecycle, after: 82))
    sent = [pings(after: 142), pings(after: 143)]
    #expect(sent == [false, true])
  }

  @Test func onlyServingConnectionsAreIdle() {
    var lifecycle = ConnectionLifecycle(now: start)
    let late = start + .seconds(301)
    #expect(lifecycle.isIdle(isBusy: false, limits, now: late))
    #expect(!lifecycle.isIdle(isBusy: true, limits, now: late))
    #expect(!lifecycle.isIdle(isBusy: false, limits, now: start + .seconds(300)))
    lifecycle.enter(.goAwayAnnounced, now: start)
    #expect(!lifecycle.isIdle(isBusy: false, limits, now: late))
  }

  @Test func lastGoAwayWaitsOneRoundTrip() {
    var lifecycle = ConnectionLifecycle(now: start)
    #expect(!lifecycle.isLateToAcknowledge(limits, now: start + .seconds(2)))
    lifecycle.enter(.goAwayAnnounced, now: start)
    #expect(!lifecycle.isLateToAcknowledge(limits, now: start + .seconds(1)))
    #expect(lifecycle.isLateToAcknowledge(limits, now: start + .seconds(2)))
  }
}
