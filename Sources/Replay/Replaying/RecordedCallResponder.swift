import WireGRPCServer

/// Answers a call from a recording or a script.
final class RecordedCallResponder: CallResponder {
  private let service: ReplayService
  private let method: ResponseIndex.Method
  private var playback: Playback?

  init(_ service: ReplayService, _ method: ResponseIndex.Method) {
    self.service = service
    self.method = method
  }

  var needsRequest: Bool { playback == nil }

  var waitsForClient: Bool { playback?.waitsForClient ?? true }

  var due: ContinuousClock.Instant? { playback?.due }

  var trailingActions: (any TrailingActions)? { playback }

  func chooseResponse(
    to messages: [[UInt8]], isComplete: Bool, observer: ServedCallObserver?,
    now: ContinuousClock.Instant
  ) throws(Refusal) {
    let required = method.requiredMessages
    guard messages.count >= required || isComplete else { return }
    playback = try service.playback(
      of: method, messages.count > required ? Array(messages.prefix(required)) : messages,
      observer: observer, now: now)
  }

  func receive(
    _ request: inout IncomingRequest, now: ContinuousClock.Instant
  ) throws(Refusal) {
    try playback?.receive(request.take(), now: now)
    if request.isComplete { try playback?.receiveEnd(now: now) }
  }

  func next(
    _ request: inout IncomingRequest, now: ContinuousClock.Instant
  ) -> ResponseAction? {
    playback?.next(now: now)
  }
}
