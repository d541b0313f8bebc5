import WireGRPC
import WireHTTP2

/// Answers the calls of a connection.
extension ServerCalls {
  /// The client has read most of the bytes that were sent on a stream.
  mutating func drained(_ stream: StreamID, _ now: ContinuousClock.Instant) {
    guard let call = calls[stream], !call.isOver else { return }
    respond(to: call, on: stream, now)
    account(for: call)
  }

  /// Sends the due actions as far as the client reads them.
  mutating func respond(
    to call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) {
    do throws(Refusal) {
      try respondOrThrow(to: call, on: stream, now)
    } catch {
      refuse(stream, error)
    }
  }

  mutating func respondOrThrow(
    to call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) throws(Refusal) {
    while !call.isOver, !call.isFlushing {
      call.isBlocked = session.unsentBytes(stream) >= Self.bodyLowWater
      guard !call.isBlocked, let action = try call.responder.next(&call.request, now: now) else {
        return
      }
      send(action, of: call, on: stream)
      extendRequestDeadline(of: call, now)
    }
  }

  mutating func send(_ action: ResponseAction, of call: ServerCall, on stream: StreamID) {
    call.observer?.send(action)
    switch action {
    case .headers(let fields):
      call.hasHeaders = true
      session.submitResponse(stream, fields, endStream: false)
    case .message(let frame):
      session.sendData(stream, frame, endStream: false)
    case .trailers(let fields):
      session.submitTrailers(stream, fields)
      end(call, on: stream)
    case .trailersOnly(let fields):
      session.submitResponse(stream, fields, endStream: true)
      end(call, on: stream)
    case .data(let bytes, let frames, let endStream):
      session.sendData(stream, bytes, frames: frames, endStream: endStream)
      if endStream { end(call, on: stream) }
    case .control(let action):
      call.isFlushing = true
      controlActions.append((stream, action))
      if case .reset = action { end(call, on: stream) }
    }
  }

  private mutating func end(_ call: ServerCall, on stream: StreamID) {
    call.isOver = true
    if let actions = call.responder.trailingActions { trailingFrames.add(actions, on: stream) }
  }

  mutating func expire(_ call: ServerCall, on stream: StreamID) {
    call.deadline = nil
    let refusal = Refusal(.deadlineExceeded, "the call took longer than its grpc-timeout")
    if call.isOver || session.unsentBytes(stream) > 0 {
      call.observer?.refuse(refusal)
      session.reset(stream, errorCode: .cancel)
      remove(stream)
    } else {
      refuse(stream, refusal)
    }
  }

  mutating func refuse(_ stream: StreamID, _ refusal: Refusal) {
    let call = calls[stream]
    call?.observer?.refuse(refusal)
    if let call, call.hasHeaders {
      session.submitTrailers(stream, HeaderList(refusal.trailers))
      call.isOver = true
      return
    }
    remove(stream)
    session.submitResponse(stream, HeaderList(refusal.headers), endStream: true)
    answeredEarly.append(stream)
  }
}
