import WireGRPC
import WireHTTP2

/// Answers a reflection stream, one request at a time: requests wait while the client does not read.
final class ReflectionResponder: CallResponder {
  private enum State {
    /// The client has sent no request yet.
    case waiting
    case started
    case open
    case ended
  }

  private var stream: ReflectionStream
  private var state = State.waiting

  init(_ service: ReflectionService) {
    stream = ReflectionStream(service)
  }

  var needsRequest: Bool { false }

  var waitsForClient: Bool { true }

  var due: ContinuousClock.Instant? { nil }

  func chooseResponse(
    to messages: [[UInt8]], isComplete: Bool, observer: ServedCallObserver?,
    now: ContinuousClock.Instant
  ) {}

  func receive(_ request: inout IncomingRequest, now: ContinuousClock.Instant) {
    if state == .waiting { state = .started }
  }

  func next(
    _ request: inout IncomingRequest, now: ContinuousClock.Instant
  ) throws(Refusal) -> ResponseAction? {
    switch state {
    case .waiting, .ended: return nil
    case .started:
      state = .open
      return .headers(ResponseHeaders.list)
    case .open:
      if let message = request.take(1).first { return .message(try stream.response(to: message)) }
      guard request.isComplete else { return nil }
      state = .ended
      return .trailers(ResponseHeaders.success)
    }
  }
}
