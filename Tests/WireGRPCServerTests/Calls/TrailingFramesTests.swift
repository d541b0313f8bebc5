import Testing
import WireHTTP2

@testable import Replay

@Suite struct EpiloguesTests {
  private static func playback(
    after delay: Duration, _ signals: Answer.Step.Signal..., now: ContinuousClock.Instant
  ) -> Playback {
    let steps = signals.map { Answer.Step(content: .signal($0), delay: delay) }
    return Playback(Answer(steps: steps), speed: 1, now: now)
  }

  @Test func comeInTheOrderInWhichTheyAreDue() {
    let now = ContinuousClock.now
    var epilogues = Epilogues()
    for (stream, delay) in [(1, 3), (3, 1), (5, 3), (7, 2)] as [(StreamID, Int)] {
      epilogues.add(Self.playback(after: .seconds(delay), .ping, .close, now: now), on: stream)
    }
    var order: [(StreamID, Answer.Step.Signal)] = []
    while let due = epilogues.due {
      #expect(epilogues.next(now: due - .nanoseconds(1)) == nil)
      if let next = epilogues.next(now: due) { order.append(next) }
    }
    #expect(order.map(\.0) == [3, 7, 3, 1, 5, 7, 1, 5])
    #expect(order.map(\.1) == [.ping, .ping, .close, .ping, .ping, .close, .close, .close])
  }

  /// However many there were, each takes as long, and no more are kept.
  @Test(.timeLimit(.minutes(20))) func areBounded() {
    let now = ContinuousClock.now
    var epilogues = Epilogues()
    for stream in 0..<1_000_000 {
      epilogues.add(
        Self.playback(after: .seconds(3600), .ping, now: now), on: StreamID(stream))
      _ = epilogues.due
      if let next = epilogues.next(now: now) { Issue.record("\(next) is not due") }
    }
    var count = 0
    while epilogues.next(now: now + .seconds(3600)) != nil { count += 1 }
    #expect(count == 10_000)
    #expect(epilogues.due == nil)
  }
}
