import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct ClientClockTests {
  private static func observations(_ bounds: [ClockOffset.Bound]) -> [ClientClock.Observation] {
    bounds.enumerated().map { .init(entry: $0 * 10, time: Double($0), bound: $1) }
  }

  private static func clock(_ log: SidesLog) throws -> ClientClock {
    let estimator = ClockOffsetEstimator(try SidesLog.types())
    for entry in log.entries { estimator.add(entry) }
    return estimator.clock
  }

  @Test func aClockThatIsSetHasTwoParts() {
    let before = (0..<5).map { ClockOffset.Bound(least: -1 - Double($0), most: 1) }
    let after = (0..<5).map { ClockOffset.Bound(least: -121 - Double($0), most: -119) }
    let steps = [
      ClientClock.Step(entry: 33, time: 100, seconds: 6),
      ClientClock.Step(entry: 47, time: 230, seconds: 125),
      ClientClock.Step(entry: 49, time: 240, seconds: 7),
    ]
    let clock = ClientClock(Self.observations(before + after), steps)
    #expect(
      clock.parts == [
        .init(firstEntry: 0, start: 0, offset: ClockOffset(seconds: 0, uncertainty: 1)),
        .init(firstEntry: 47, start: 230, offset: ClockOffset(seconds: -120, uncertainty: 1)),
      ])
    #expect(clock.correction(ofEntry: 46) == 0 && clock.correction(ofEntry: 47) == -120)
  }

  @Test func callsOfAServerThatLagsDoNotSetTheClock() {
    let good = (0..<5).map { _ in ClockOffset.Bound(least: 9, most: 11) }
    let bad = ClockOffset.Bound(least: 80, most: 81)
    let clock = ClientClock(Self.observations([bad] + good + [bad, bad] + good), [])
    #expect(clock.parts.map(\.offset) == [ClockOffset(seconds: 10, uncertainty: 1)])
  }

  @Test func boundsWithALimitOnOneSideDoNotHideTheChange() {
    var bounds: [ClockOffset.Bound] = []
    for offset in [0.0, 0, 0, 0, 0, -120, -120, -120, -120, -120] {
      bounds += [.init(least: offset - 2), .init(most: offset + 4)]
    }
    let steps = [ClientClock.Step(entry: 95, time: 7, seconds: 125)]
    let parts = ClientClock(Self.observations(bounds), steps).parts
    #expect(parts.map(\.offset.seconds) == [1, -119])
    #expect(parts.last?.firstEntry == 95 && parts.last?.start == 7)
  }

  /// A location comes every 5 s, and the client asks 2 s later.
  @Test(arguments: [120.0, -120])
  func theClientAloneShowsThatItsClockWasSet(step: Double) throws {
    var log = SidesLog()
    for index in 0..<20 {
      let time = 1e6 + Double(index) * 5
      let start = time + 2 + (index < 10 ? 0 : step)
      log.get(SidesLog.trip(time), from: start, to: start + 0.1)
    }
    let parts = try Self.clock(log).parts
    #expect(parts.count == 2)
    #expect(parts.last?.firstEntry == 50 && parts.last?.start == 1e6 + 52 + step)
    let offsets = parts.map(\.offset)
    for (offset, expected) in zip(offsets, [0, -step]) {
      #expect((offset.seconds - expected).magnitude <= offset.uncertainty)
      #expect(offset.uncertainty < 3)
    }
  }

  /// Two calls after the step are enough: times do not go back by themselves.
  @Test func aClockThatIsSetBackIsSeenAtOnce() throws {
    var log = SidesLog()
    for index in 0..<12 {
      let time = 1e6 + Double(index) * 5
      let start = time + 2 - (index < 10 ? 0 : 90)
      log.get(SidesLog.trip(time), from: start, to: start + 0.1)
    }
    let clock = try Self.clock(log)
    #expect(clock.isSet && clock.parts.map(\.firstEntry) == [0, 50])
    #expect(((clock.parts.last?.offset.seconds ?? 0) - 90).magnitude < 3)
  }

  @Test func timesContinueAfterAStepBackThatNoCallMeasures() throws {
    var log = SidesLog()
    for index in 0..<12 {
      let time = 1e6 + Double(index) * 5
      let start = time + 2 - (index < 10 ? 0 : 90)
      log.get(index < 10 ? SidesLog.trip(time) : nil, from: start, to: start + 0.1)
    }
    let clock = try Self.clock(log)
    #expect(clock.isSet && clock.parts.count == 1)
    #expect(clock.unmeasuredSteps.map(\.entry) == [50])
    // The time at the end of the call before, 47.1.
    #expect(clock.correction(ofEntry: 49) == 0)
    #expect((clock.correction(ofEntry: 50) - 85.1).magnitude < 1e-6)
  }

  /// Files of the same time are read one after the other.
  @Test func anotherFileDoesNotSetTheClock() throws {
    var log = SidesLog()
    for _ in 0..<2 {
      for index in 0..<10 {
        let time = 1e6 + Double(index) * 5
        log.get(SidesLog.trip(time), from: time + 2, to: time + 2.1)
      }
    }
    #expect(try !Self.clock(log).isSet)
  }

  @Test func datesOfResponsesLimitTheOffset() throws {
    var log = SidesLog()
    // The client is 90 s ahead of Sat, 21 Nov 2026 09:30:00 GMT.
    for (index, fraction) in [0.2, 0.9, 0.5].enumerated() {
      let start = 1_795_253_490 + Double(index) * 10 + fraction
      log.get(Trip(), from: start, to: start + 0.05, date: "Sat, 21 Nov 2026 09:30:\(index)0 GMT")
    }
    let offset = try #require(try Self.clock(log).parts.first?.offset)
    // From -90.25 to -89.9.
    #expect(
      (offset.seconds + 90.075).magnitude < 1e-3 && (offset.uncertainty - 0.175).magnitude < 1e-3)
  }
}
