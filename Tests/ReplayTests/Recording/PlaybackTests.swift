import Testing

@testable import Replay
@testable import WireGRPCServer

@Suite struct PlaybackTests {
  let start = ContinuousClock.now

  func step(_ byte: UInt8, _ requiredMessages: Int = 0, _ milliseconds: Int = 0)
    -> TimedResponse.Step
  {
    TimedResponse.Step(
      action: .message([byte]), requiredMessages: requiredMessages,
      delay: .milliseconds(milliseconds))
  }

  func playback(_ steps: [TimedResponse.Step], conversation: [[UInt8]]? = nil) -> Playback {
    var response = TimedResponse(steps: steps)
    response.conversation = conversation
    return Playback(response, speed: 1, now: start)
  }

  func sent(_ playback: Playback, at milliseconds: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while case .message(let frame) = playback.next(now: start + .milliseconds(milliseconds)) {
      bytes += frame
    }
    return bytes
  }

  @Test func keepsTheRecordedDelays() {
    let playback = playback([step(1, 0, 500), step(2, 0, 250), step(3)])
    #expect(playback.due == start + .milliseconds(500))
    #expect(sent(playback, at: 499) == [])
    // Delays do not accumulate.
    #expect(sent(playback, at: 600) == [1])
    #expect(playback.due == start + .milliseconds(750))
    #expect(sent(playback, at: 750) == [2, 3])
  }

  @Test func messagesAreNotComparedWithoutAConversation() throws {
    let playback = playback([step(1, TimedResponse.wholeRequest)])
    try playback.receive([[9], [9]], now: start)
    try playback.receiveEnd(now: start)
    #expect(sent(playback, at: 0) == [1])
  }

  @Test func messagesThatDifferFromTheRecordingAreRejected() throws {
    let recorded: [[UInt8]] = [[1], [2]]
    let other = playback([step(1)], conversation: recorded)
    try other.receive([[1]], now: start)
    #expect(throws: Refusal.self) { try other.receive([[3]], now: start) }
    let more = playback([step(1)], conversation: recorded)
    try more.receive(recorded, now: start)
    #expect(throws: Refusal.self) { try more.receive([[2]], now: start) }
    let less = playback([step(1)], conversation: recorded)
    try less.receive([[1]], now: start)
    #expect(throws: Refusal.self) { try less.receiveEnd(now: start) }
    let same = playback([step(1)], conversation: recorded)
    try same.receive(recorded, now: start)
    try same.receiveEnd(now: start)
  }
}
