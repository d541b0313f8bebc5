import Testing
import WireSystem

@testable import TripRelay

/// The values in the buckets of the relay, and the estimate of the server's clock.
@Suite struct BucketValueTests {
  @Test func heartbeatIsReadAsItWasWritten() {
    var heartbeat = Heartbeat()
    heartbeat.phase = .working
    heartbeat.resources = 7
    heartbeat.capacity = 100
    heartbeat.threshold = .max
    heartbeat.callsPerMinute = 84
    heartbeat.errors = ["NOT_FOUND": 2, "UNAVAILABLE": 1]
    heartbeat.lag = 12
    #expect(Heartbeat(Array(heartbeat.json.utf8)) == heartbeat)
  }

  @Test(arguments: ["", "{}", "[]", "{\"phase\":\"other\"}", "{\"phase\":7}"])
  func otherHeartbeatsAreRefused(json: String) {
    #expect(Heartbeat(Array(json.utf8)) == nil)
  }

  @Test(arguments: [EntryLifetime.pinned, .lasting(.seconds(60)), .lasting(.milliseconds(1))])
  func lifetimeIsReadAsItWasWritten(value: EntryLifetime) {
    #expect(EntryLifetime(Array(value.json.utf8)) == value)
  }

  @Test(arguments: ["", "{}", "{\"forMs\":-1}", "{\"forMs\":1e300}", "{\"pin\":false}"])
  func otherLifetimesAreRefused(json: String) {
    #expect(EntryLifetime(Array(json.utf8)) == nil)
  }

  @Test func shorterRequestKeepsTheLongerOne() {
    let now = WallTime.now
    #expect(EntryLifetime.lasting(.seconds(60)).longer(.pinned, storedAt: now) == .pinned)
    #expect(EntryLifetime.pinned.longer(.lasting(.seconds(60)), storedAt: now) == .pinned)
    let hour = EntryLifetime.lasting(.seconds(60)).longer(.lasting(.seconds(3_600)), storedAt: now)
    #expect(hour.end(storedAt: now).map { $0 - now > 3_590 } == true)
    let old = EntryLifetime.lasting(.seconds(60)).longer(.lasting(.seconds(3_600)), storedAt: 0)
    #expect(old == .lasting(.seconds(60)))
  }

  @Test func offsetOfTheServerClockIsMeasured() {
    var clock = ServerClock()
    clock.learn(stored: 1_000.5, sent: 1_000, acknowledged: 1_001)
    #expect(clock.offset == 0)
    clock.learn(stored: 1_100.5, sent: 1_000, acknowledged: 1_001)
    #expect(clock.offset == 100)
    clock.learn(stored: 900.5, sent: 1_000, acknowledged: 1_001)
    #expect(clock.offset == -100)
  }
}
