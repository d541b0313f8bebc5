import Testing

@testable import Replay

@Suite struct RecordingClockTests {
  let start = ContinuousClock.now
  let sequence = ResponseSequenceTests.sequence([100, 110])

  func clock(speed: Int = 1, loops: Bool = false, end: Int = 112) -> RecordingClock {
    RecordingClock(speed: speed, loops: loops, end: .seconds(end))
  }

  func times(_ clock: RecordingClock, _ seconds: [Int]) -> [Duration] {
    var clock = clock
    return seconds.map { clock.time(at: start + .seconds($0), for: sequence) }
  }

  @Test func startsWithTheFirstRequest() {
    #expect(times(clock(), [5, 6, 30]) == [.seconds(100), .seconds(101), .seconds(125)])
  }

  @Test func speedScalesTheTime() {
    #expect(times(clock(speed: 10), [0, 1, 2]) == [.seconds(100), .seconds(110), .seconds(120)])
  }

  @Test func allSequencesShareTheClock() {
    var clock = clock()
    _ = clock.time(at: start, for: sequence)
    let other = ResponseSequenceTests.sequence([105])
    #expect(clock.time(at: start + .seconds(3), for: other) == .seconds(103))
  }

  /// The last response is valid for as long as the one before it.
  @Test func restartsAfterTheEnd() {
    let seconds = [0, 21, 22, 23, 44, 45]
    #expect(
      times(clock(loops: true), seconds)
        == [100, 121, 100, 101, 100, 101].map { .seconds($0) })
  }

  @Test func emptyIntervalDoesNotLoop() {
    var clock = clock(loops: true, end: 100)
    let sequence = ResponseSequenceTests.sequence([100])
    _ = clock.time(at: start, for: sequence)
    #expect(clock.time(at: start + .seconds(9), for: sequence) == .seconds(109))
  }
}
