import Testing
import WireHTTP2

@testable import WireGRPCServer

@Suite struct TrailingFramesTests {
  private final class Actions: TrailingActions {
    private var actions: [ControlAction]
    private let delay: Duration
    private(set) var nextDue: ContinuousClock.Instant

    init(after delay: Duration, _ actions: ControlAction..., now: ContinuousClock.Instant) {
      self.actions = actions
      self.delay = delay
      nextDue = now + delay
    }

    var due: ContinuousClock.Instant? { actions.isEmpty ? nil : nextDue }

    func nextAction(now: ContinuousClock.Instant) -> ControlAction? {
      guard let due, due <= now else { return nil }
      nextDue += delay
      return actions.removeFirst()
    }
  }

  @Test func framesAreSentInOrderOfTheirDueTimes() {
    let now = ContinuousClock.now
    var frames = TrailingFrames()
    for (stream, delay) in [(1, 3), (3, 1), (5, 3), (7, 2)] as [(StreamID, Int)] {
      frames.add(Actions(after: .seconds(delay), .ping, .close, now: now), on: stream)
    }
    var order: [(StreamID, ControlAction)] = []
    while let due = frames.due {
      #expect(frames.next(now: due - .nanoseconds(1)) == nil)
      if let next = frames.next(now: due) { order.append(next) }
    }
    #expect(order.map(\.0) == [3, 7, 3, 1, 5, 7, 1, 5])
    #expect(order.map(\.1) == [.ping, .ping, .close, .ping, .ping, .close, .close, .close])
  }

  /// Adding a frame takes constant time, and only 10,000 frames are kept.
  @Test(.timeLimit(.minutes(20))) func numberOfFramesIsLimited() {
    let now = ContinuousClock.now
    var frames = TrailingFrames()
    for stream in 0..<1_000_000 {
      frames.add(
        Actions(after: .seconds(3600), .ping, now: now), on: StreamID(stream))
      _ = frames.due
      if let next = frames.next(now: now) { Issue.record("\(next) is not due") }
    }
    var count = 0
    while frames.next(now: now + .seconds(3600)) != nil { count += 1 }
    #expect(count == 10_000)
    #expect(frames.due == nil)
  }
}
