import WireGRPC
import WireGRPCServer

/// The progress of sending a response. Has no clock: time is passed in.
///
/// A class, because it is passed around more often than it is made, and copying an instant is slow.
final class Playback {
  private let response: TimedResponse
  /// The speed relative to the recording; nil for no delays.
  private let speed: Int?
  private var next = 0
  /// The number of messages that the client has sent.
  private var receivedMessages = 0
  private var hasReceivedAll = false
  /// The time of the event before the next step.
  private var since: ContinuousClock.Instant

  init(_ response: TimedResponse, speed: Int?, now: ContinuousClock.Instant) {
    self.response = response
    self.speed = speed
    since = now
  }

  /// Whether nothing is sent before the client sends more.
  var waitsForClient: Bool {
    guard response.steps.indices.contains(next) else { return false }
    return !isReady(response.steps[next])
  }

  /// When the next step is due; nil if it waits for the client, or there is none.
  var due: ContinuousClock.Instant? {
    guard response.steps.indices.contains(next), isReady(response.steps[next]) else { return nil }
    return since + (speed.map { response.steps[next].delay / $0 } ?? .zero)
  }

  func next(now: ContinuousClock.Instant) -> ResponseAction? {
    guard let due, due <= now else { return nil }
    // The time at which it was due, so that delays do not add up.
    since = due
    next += 1
    return response.steps[next - 1].action
  }

  /// The client has sent messages.
  ///
  /// Throws when the recording has others.
  func receive(
    _ messages: some Sequence<[UInt8]>, now: ContinuousClock.Instant
  ) throws(Refusal) {
    since = max(since, now)
    for message in messages {
      receivedMessages += 1
      guard let expected = response.conversation else { continue }
      guard expected.indices.contains(receivedMessages - 1),
        expected[receivedMessages - 1] == message
      else {
        throw Refusal(
          .notFound, "message \(receivedMessages) of this stream differs from the recorded one")
      }
    }
  }

  /// The client has ended the request.
  ///
  /// Throws when the recording has more messages.
  func receiveEnd(now: ContinuousClock.Instant) throws(Refusal) {
    since = max(since, now)
    hasReceivedAll = true
    guard let expected = response.conversation, receivedMessages < expected.count else { return }
    throw Refusal(
      .notFound,
      "this stream ended after \(receivedMessages) messages; \(expected.count) were recorded")
  }

  private func isReady(_ step: TimedResponse.Step) -> Bool {
    hasReceivedAll || step.requiredMessages <= receivedMessages
  }
}

extension Playback: TrailingActions {
  func nextAction(now: ContinuousClock.Instant) -> ControlAction? {
    // A response that has ended consists of control actions alone.
    guard case .control(let action)? = next(now: now) else { return nil }
    return action
  }
}
