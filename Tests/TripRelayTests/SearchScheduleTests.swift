import FleetEngineAPI
import Testing
import Tripwire
import WireGRPC

@testable import TripRelay

/// Which requests does a repeated search make, at given instants?
@Suite struct SearchScheduleTests {
  private static let start = ContinuousClock.now
  private let (one, two): (ResourceName, ResourceName)
  private var schedule = SearchSchedule(interval: .seconds(60), at: start)

  init() throws {
    one = try ResourceName("providers/p/trips/one")
    two = try ResourceName("providers/p/trips/two")
  }

  private func next(_ seconds: Int) -> SearchSchedule.Command? {
    var schedule = schedule
    return schedule.next(at: time(seconds))
  }

  private func time(_ seconds: Int) -> ContinuousClock.Instant { Self.start + .seconds(seconds) }

  /// Searches at an instant, and returns what is requested.
  private mutating func search(_ names: ResourceName..., at seconds: Int) -> [ResourceName] {
    #expect(schedule.next(at: time(seconds)) == .search, "at \(seconds) s")
    #expect(schedule.next(at: time(seconds)) == nil)
    let due = schedule.found(names, at: time(seconds))
    schedule.requested(due, at: time(seconds))
    schedule.searchEnded(at: time(seconds))
    return due
  }

  @Test mutating func eachResourceIsRequestedAtEveryOtherSearch() {
    #expect(schedule.lease == .seconds(240))
    #expect(search(one, at: 0) == [one])
    #expect(next(59) == nil)
    #expect(search(one, two, at: 60) == [two])
    #expect(search(one, two, at: 120) == [one])
    #expect(search(one, two, at: 180) == [two])
    #expect(schedule.count == 2)
    #expect(search(two, at: 240) == [])
    #expect(schedule.count == 1)
    // It is back after its request has ended.
    #expect(search(one, two, at: 900) == [one, two])
  }

  @Test mutating func pagesOfALongSearchAreRequestedAtOnce() {
    #expect(schedule.next(at: time(0)) == .search)
    #expect(schedule.found([one], at: time(1)) == [one])
    schedule.requested([one], at: time(1))
    #expect(schedule.found([two], at: time(90)) == [two])
    schedule.requested([two], at: time(90))
    #expect(next(99) == nil)
    schedule.searchEnded(at: time(100))
    // The next search follows at once, and the requests last for four times as long.
    #expect(schedule.lease == .seconds(400))
    #expect(next(100) == .search)
  }

  @Test mutating func failedSearchIsRepeatedSoonerAndKeepsTheResults() {
    #expect(search(one, at: 0) == [one])
    var pauses: [Int] = []
    var now = 60
    for _ in 0..<12 {
      #expect(schedule.next(at: time(now)) == .search)
      schedule.requested(schedule.found([two], at: time(now)), at: time(now))
      schedule.searchFailed(
        CallError(code: .unavailable, message: "", origin: .server), at: time(now), random: 0.5)
      if case .request(let names)? = schedule.next(at: time(now)) {
        #expect(names == [one] && now >= 90)
        schedule.requested(names, at: time(now))
      }
      let pause = (1...).first { next(now + $0) == .search } ?? 0
      pauses.append(pause)
      now += pause
    }
    #expect(pauses.prefix(6) == [1, 2, 3, 5, 7, 11])
    #expect(pauses.max() == 60)
    #expect(schedule.count == 2)
    // The first search that succeeds tells what is over.
    #expect(search(two, at: now).isEmpty)
    #expect(schedule.count == 1)
  }

  @Test mutating func clientErrorsAndDelaysOfTheServerAreObeyed() {
    _ = schedule.next(at: time(0))
    schedule.searchFailed(
      CallError(code: .permissionDenied, message: "", origin: .server), at: time(0), random: 0)
    #expect(next(59) == nil)
    #expect(schedule.next(at: time(60)) == .search)
    var error = CallError(code: .unavailable, message: "", origin: .server)
    error.retryPushback = .after(.seconds(100))
    schedule.searchFailed(error, at: time(60), random: 0)
    #expect(next(159) == nil)
    #expect(next(160) == .search)
  }

  @Test mutating func failedRequestsAreRepeatedWithoutASearch() {
    #expect(schedule.next(at: time(0)) == .search)
    #expect(schedule.found([one], at: time(0)) == [one])
    schedule.requestFailed(at: time(0), random: 0.5)
    // The rest waits.
    #expect(schedule.found([two], at: time(0)) == [])
    schedule.searchEnded(at: time(0))
    #expect(next(0) == nil)
    guard case .request(let names)? = schedule.next(at: time(1)) else {
      Issue.record("nothing is requested")
      return
    }
    #expect(Set(names) == [one, two])
    schedule.requestFailed(at: time(1), random: 0.5)
    #expect(next(2) == nil)
    schedule.requested(names, at: time(3))
    #expect(next(3) == nil)
    #expect(search(one, two, at: 60) == [])
  }

  @Test mutating func reconnectionRequestsAllAgain() {
    #expect(search(one, two, at: 0) == [one, two])
    schedule.reconnected(at: time(5))
    guard case .request(let names)? = schedule.next(at: time(5)) else {
      Issue.record("nothing is requested")
      return
    }
    #expect(Set(names) == [one, two])
  }
}
