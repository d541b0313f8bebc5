import Testing

@testable import Replay

@Suite struct PlaybackTests {
  let start = ContinuousClock.now

  func step(_ byte: UInt8, _ cue: Int = 0, _ milliseconds: Int = 0) -> Answer.Step {
    Answer.Step(content: .message([byte]), cue: cue, delay: .milliseconds(milliseconds))
  }

  func playback(
    _ steps: [Answer.Step], speed: Int? = 1, conversation: [[UInt8]]? = nil
  ) -> Playback {
    var answer = Answer(steps: steps)
    answer.conversation = conversation
    return Playback(answer, speed: speed, now: start)
  }

  func said(_ playback: Playback, at milliseconds: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while case .message(let frame) = playback.say(now: start + .milliseconds(milliseconds)) {
      bytes += frame
    }
    return bytes
  }

  @Test func saysEverythingAtOnceWithoutASpeed() throws {
    let playback = playback([step(1, 0, 500), step(2, 0, 500)], speed: nil)
    #expect(said(playback, at: 0) == [1, 2])
    #expect(playback.due == nil)
    #expect(!playback.waitsForClient)
  }

  @Test func keepsTheRecordedTimeBetween() {
    let playback = playback([step(1, 0, 500), step(2, 0, 250), step(3)])
    #expect(playback.due == start + .milliseconds(500))
    #expect(said(playback, at: 499) == [])
    // Being late does not add up.
    #expect(said(playback, at: 600) == [1])
    #expect(playback.due == start + .milliseconds(750))
    #expect(said(playback, at: 750) == [2, 3])
  }

  @Test func scalesIt() {
    let playback = playback([step(1, 0, 500), step(2, 0, 250)], speed: 10)
    #expect(said(playback, at: 50) == [1])
    #expect(said(playback, at: 75) == [2])
  }

  @Test func takesTurnsWithTheClient() throws {
    let playback = playback([step(1, 1, 100), step(2, 3, 100), step(3, Answer.wholeRequest)])
    #expect(playback.waitsForClient)
    #expect(playback.due == nil)
    try playback.hear([[0]], now: start + .milliseconds(1000))
    #expect(playback.due == start + .milliseconds(1100))
    #expect(said(playback, at: 1100) == [1])
    #expect(playback.waitsForClient)
    try playback.hear([[0], [0]], now: start + .milliseconds(2000))
    #expect(said(playback, at: 2100) == [2])
    #expect(playback.waitsForClient)
    try playback.hearEnd(now: start + .milliseconds(3000))
    #expect(said(playback, at: 3000) == [3])
  }

  @Test func doesNotMindWhatIsSaidWhereAllOfItWasMatched() throws {
    let playback = playback([step(1, Answer.wholeRequest)])
    try playback.hear([[9], [9]], now: start)
    try playback.hearEnd(now: start)
    #expect(said(playback, at: 0) == [1])
  }

  @Test func refusesATurnThatWasNotRecorded() throws {
    let recorded: [[UInt8]] = [[1], [2]]
    let other = playback([step(1)], conversation: recorded)
    try other.hear([[1]], now: start)
    #expect(throws: Refusal.self) { try other.hear([[3]], now: start) }
    let more = playback([step(1)], conversation: recorded)
    try more.hear(recorded, now: start)
    #expect(throws: Refusal.self) { try more.hear([[2]], now: start) }
    let less = playback([step(1)], conversation: recorded)
    try less.hear([[1]], now: start)
    #expect(throws: Refusal.self) { try less.hearEnd(now: start) }
    let same = playback([step(1)], conversation: recorded)
    try same.hear(recorded, now: start)
    try same.hearEnd(now: start)
  }
}
