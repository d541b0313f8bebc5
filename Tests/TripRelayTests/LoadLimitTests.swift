import Testing
import Tripwire

@testable import TripRelay

@Suite struct LoadLimitTests {
  private let start = ContinuousClock.now
  private var limit = LoadLimit(capacity: 1_000)

  @Test mutating func lateWorkerGivesAPartAway() {
    update(lateness: .seconds(6), owned: 800, at: 0)
    #expect(limit.capacity == 700)
    // The change takes effect first.
    update(lateness: .seconds(6), owned: 700, at: 2)
    #expect(limit.capacity == 700)
    update(lateness: .seconds(6), owned: 700, at: 10)
    #expect(limit.capacity == 613)
  }

  @Test mutating func lateWorkerTakesNoMoreBeforeItGivesAway() {
    update(lateness: .seconds(6), owned: 800, at: 0)
    update(lateness: .seconds(6), owned: 650, at: 2)
    #expect(limit.capacity == 650)
  }

  @Test mutating func workerKeepsItsResourcesIfNobodyHasRoom() {
    update(lateness: .seconds(60), owned: 800, canOthersTake: false, at: 0)
    #expect(limit.capacity == 1_000)
  }

  @Test mutating func pollsThatAreLateByLessThanAnIntervalAreInTime() {
    update(lateness: .seconds(5), owned: 800, at: 0)
    #expect(limit.capacity == 1_000)
    #expect(!PollStatus.isLate(.milliseconds(900), interval: .milliseconds(200)))
    #expect(PollStatus.isLate(.milliseconds(1_100), interval: .milliseconds(200)))
  }

  @Test mutating func limitRisesSlowlyWhenPollsAreInTime() {
    update(lateness: .seconds(6), owned: 8, at: 0)
    #expect(limit.capacity == 7)
    for second in stride(from: 2, to: 40, by: 2) { update(lateness: .zero, owned: 7, at: second) }
    #expect(limit.capacity == 7)
    update(lateness: .zero, owned: 7, at: 40)
    #expect(limit.capacity == 8)
    for second in stride(from: 42, to: 10_000, by: 2) {
      update(lateness: .zero, owned: 7, at: second)
    }
    #expect(limit.capacity == 1_000)
  }

  @Test mutating func resourcesOfNobodyAreTaken() {
    update(lateness: .seconds(6), owned: 8, at: 0)
    limit.makeRoom(for: 12, owned: 7)
    #expect(limit.capacity == 19)
    limit.makeRoom(for: 5_000, owned: 19)
    #expect(limit.capacity == 1_000 && !limit.isLimited)
  }

  @Test mutating func oneResourceIsKept() {
    for round in 0..<100 { update(lateness: .seconds(6), owned: limit.capacity, at: round * 20) }
    #expect(limit.capacity == 1)
  }

  private mutating func update(
    lateness: Duration, owned: Int, canOthersTake: Bool = true, at second: Int
  ) {
    limit.update(
      lateness: lateness, interval: .seconds(5), owned: owned, canOthersTake: canOthersTake,
      at: start + .seconds(second))
  }
}
