import WireGRPC
import WireHTTP2

/// What the calls of a connection say.
extension ServerCalls {
  /// The client has taken what it was told.
  mutating func drained(_ stream: StreamID, _ now: ContinuousClock.Instant) {
    guard let call = calls[stream], !call.isOver else { return }
    guard case .reflection = call.kind else { return play(call, on: stream, now) }
    do throws(Refusal) {
      try answerQuestions(of: call, on: stream)
      account(for: call)
    } catch {
      refuse(stream, error)
    }
  }

  /// Answers the questions of a reflection that have come, as far as the client takes it.
  mutating func answerQuestions(of call: ServerCall, on stream: StreamID) throws(Refusal) {
    guard case .reflection(var reflection) = call.kind else { return }
    if !call.hasHeaders { say(.headers(HeaderList(Answer.beginning)), of: call, on: stream) }
    while session.unsentBytes(stream) < Self.bodyLowWater,
      let question = call.request.take(1).first
    {
      say(.message(try reflection.answer(question)), of: call, on: stream)
    }
    call.kind = .reflection(reflection)
    call.isBlocked = !call.request.messages.isEmpty
    if call.requestIsWhole, !call.isBlocked {
      say(.trailers(HeaderList(Status(.ok).headerFields)), of: call, on: stream)
    }
  }

  /// Says what is due, as far as the client takes it.
  mutating func play(
    _ call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) {
    while !call.isOver, !call.isFlushing {
      call.isBlocked = session.unsentBytes(stream) >= Self.bodyLowWater
      guard !call.isBlocked, let content = call.playback?.say(now: now) else { return }
      say(content, of: call, on: stream)
      wait(for: call, now)
    }
  }

  mutating func say(
    _ content: Answer.Step.Content, of call: ServerCall, on stream: StreamID
  ) {
    call.story?.say(content)
    switch content {
    case .headers(let fields):
      call.hasHeaders = true
      session.submitResponse(stream, fields, endStream: false)
    case .message(let frame):
      session.sendData(stream, frame, endStream: false)
    case .trailers(let fields):
      session.submitTrailers(stream, fields)
      end(call, on: stream)
    case .alone(let fields):
      session.submitResponse(stream, fields, endStream: true)
      end(call, on: stream)
    case .data(let bytes, let frames, let endStream):
      session.sendData(stream, bytes, frames: frames, endStream: endStream)
      if endStream { end(call, on: stream) }
    case .signal(let signal):
      call.isFlushing = true
      signals.append((stream, signal))
      if case .reset = signal { end(call, on: stream) }
    }
  }

  private mutating func end(_ call: ServerCall, on stream: StreamID) {
    call.isOver = true
    // Nothing that waits for the client can come: it has no more to say.
    if let rest = call.playback { epilogues.add(rest, on: stream) }
  }

  mutating func expire(_ call: ServerCall, on stream: StreamID) {
    call.deadline = nil
    let refusal = Refusal(.deadlineExceeded, "the call took longer than its grpc-timeout")
    if call.isOver || session.unsentBytes(stream) > 0 {
      call.story?.refuse(refusal)
      session.reset(stream, errorCode: .cancel)
      remove(stream)
    } else {
      refuse(stream, refusal)
    }
  }

  mutating func refuse(_ stream: StreamID, _ refusal: Refusal) {
    let call = calls[stream]
    call?.story?.refuse(refusal)
    if let call, call.hasHeaders {
      call.playback = nil
      return say(.trailers(HeaderList(refusal.status.headerFields)), of: call, on: stream)
    }
    remove(stream)
    session.submitResponse(stream, refusal.headers, endStream: true)
    early.append(stream)
  }
}
