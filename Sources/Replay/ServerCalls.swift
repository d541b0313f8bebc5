import WireGRPC
import WireHTTP2

/// The calls of one connection: takes the events of its session and answers through it. No I/O.
struct ServerCalls {
  private let session: HTTP2ServerSession
  private let service: ReplayService
  private var incoming: [StreamID: IncomingCall] = [:]
  /// Streams answered before the client ended them; see ``letGo()``.
  private var early: [StreamID] = []

  init(_ session: HTTP2ServerSession, _ service: ReplayService) {
    self.session = session
    self.service = service
  }

  /// Takes an event; those that are not of a call mean nothing here.
  mutating func handle(_ event: HTTP2Event, now: ContinuousClock.Instant) {
    switch event {
    case .headers(let stream, let fields, let endStream):
      begin(stream, fields, now)
      if endStream { finish(stream) }
    case .data(let stream, let bytes, let endStream):
      receive(stream, bytes)
      session.consume(stream, bytes.count)
      if endStream { finish(stream) }
    case .trailers(let stream, _):
      finish(stream)
    case .streamClosed(let stream, _):
      _ = remove(stream)
    default:
      break
    }
  }

  /// Gives up on requests that take too long.
  mutating func expire(now: ContinuousClock.Instant) {
    for (stream, call) in incoming where call.deadline <= now {
      refuse(stream, Refusal(.deadlineExceeded, "the request did not end in time"))
    }
  }

  /// Resets what was answered early, once the answers are sent: the client need not go on
  /// (gRPC PROTOCOL-HTTP2, Errors). False when there was none.
  mutating func letGo() -> Bool {
    defer { early = [] }
    for stream in early { session.reset(stream, errorCode: .noError) }
    return !early.isEmpty
  }

  /// The server is done with all of them.
  mutating func abandon() {
    for stream in Array(incoming.keys) { _ = remove(stream) }
  }

  // MARK: Requests

  private mutating func begin(
    _ stream: StreamID, _ fields: [HeaderField], _ now: ContinuousClock.Instant
  ) {
    do throws(Refusal) {
      let head = try RequestHead(fields)
      try service.check(head)
      let limits = service.limits
      let time = min(head.timeout ?? limits.requestTime, limits.requestTime)
      incoming[stream] = IncomingCall(head, deadline: now + time, limit: limits.requestSize)
    } catch {
      refuse(stream, error)
    }
  }

  private mutating func receive(_ stream: StreamID, _ bytes: ArraySlice<UInt8>) {
    guard var call = incoming.removeValue(forKey: stream) else { return }
    let size = call.size
    do throws(Refusal) {
      defer {
        service.heldBytes += call.size - size
        incoming[stream] = call
      }
      try call.receive(bytes)
    } catch {
      return refuse(stream, error)
    }
    if service.heldBytes > service.limits.heldBytes {
      refuse(
        stream, Refusal(.resourceExhausted, "the server has too many requests on their way in"))
    }
  }

  private mutating func finish(_ stream: StreamID) {
    guard let call = remove(stream) else { return }
    send(service.answer(to: call), on: stream)
  }

  private mutating func refuse(_ stream: StreamID, _ refusal: Refusal) {
    _ = remove(stream)
    send(Answer(refusal), on: stream)
    early.append(stream)
  }

  private mutating func remove(_ stream: StreamID) -> IncomingCall? {
    guard let call = incoming.removeValue(forKey: stream) else { return nil }
    service.heldBytes -= call.size
    return call
  }

  // MARK: Answers

  private func send(_ answer: Answer, on stream: StreamID) {
    guard let trailers = answer.trailers else {
      return session.submitResponse(stream, answer.headers, endStream: true)
    }
    session.submitResponse(stream, answer.headers, endStream: false)
    session.sendData(stream, answer.body, endStream: false)
    session.submitTrailers(stream, trailers)
  }
}
