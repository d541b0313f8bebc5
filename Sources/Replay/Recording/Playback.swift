import WireGRPC

/// How far an answer has been said. Knows no clock: time is passed in.
///
/// A class, as it is passed around more often than it is made, and an instant takes long to copy.
final class Playback {
  private let answer: Answer
  /// How much faster than recorded; nil for without delays.
  private let speed: Int?
  private var next = 0
  /// How many messages the client has sent.
  private var heard = 0
  private var hasHeardAll = false
  /// When what came before the next step happened.
  private var since: ContinuousClock.Instant

  init(_ answer: Answer, speed: Int?, now: ContinuousClock.Instant) {
    self.answer = answer
    self.speed = speed
    since = now
  }

  /// Whether nothing is said before the client says more.
  var waitsForClient: Bool {
    guard answer.steps.indices.contains(next) else { return false }
    return !isCued(answer.steps[next])
  }

  /// When the next step is due; nil when it waits for the client, or there is none.
  var due: ContinuousClock.Instant? {
    guard answer.steps.indices.contains(next), isCued(answer.steps[next]) else { return nil }
    return since + (speed.map { answer.steps[next].delay / $0 } ?? .zero)
  }

  /// The next thing to say, if it is time.
  func say(now: ContinuousClock.Instant) -> Answer.Step.Content? {
    guard let due, due <= now else { return nil }
    // As of when it should have been, lest being late adds up.
    since = due
    next += 1
    return answer.steps[next - 1].content
  }

  /// The client said more.
  ///
  /// Throws when it is something else than in the recording.
  func hear(
    _ messages: some Sequence<[UInt8]>, now: ContinuousClock.Instant
  ) throws(Refusal) {
    since = max(since, now)
    for message in messages {
      heard += 1
      guard let expected = answer.conversation else { continue }
      guard expected.indices.contains(heard - 1), expected[heard - 1] == message else {
        throw Refusal(
          .notFound, "message \(heard) of this stream differs from the recorded one")
      }
    }
  }

  /// The client said all it had.
  ///
  /// Throws when it said more in the recording.
  func hearEnd(now: ContinuousClock.Instant) throws(Refusal) {
    since = max(since, now)
    hasHeardAll = true
    guard let expected = answer.conversation, heard < expected.count else { return }
    throw Refusal(
      .notFound, "this stream ended after \(heard) messages; \(expected.count) were recorded")
  }

  private func isCued(_ step: Answer.Step) -> Bool { hasHeardAll || step.cue <= heard }
}
