package import WireHTTP2

/// One attempt of a call of any kind. Events of its stream go in; actions for the call come out.
/// Knows no stream IDs, sockets or clock.
///
///     waiting ──headers──▶ receiving ──trailers──▶ over
///        │                     └──END_STREAM, reset, limit, deadline, cancellation──▶ over
///        ├──trailers only──▶ over
///        └──headers that are not gRPC──▶ notGRPC ──end, enough of the body, or 1 s──▶ over
///
/// Once the attempt is over, further events are ignored: they crossed its end. An event that HTTP/2 rules
/// out in a state fails the attempt, because a call that waited on would never end without a deadline.
package struct CallStateMachine: ~Copyable {
  package enum Action {
    /// The attempt continues.
    case wait
    /// The attempt was over before the event.
    case ignore
    /// Call ``expire()`` after this time if the attempt is not over. Not an instant: the runtime copies each value
    /// that may have one with many calls.
    case limit(Duration)
    /// The response starts with these headers. From now on the call cannot be retried.
    case begin(Metadata)
    /// The call succeeded with these trailers and is over.
    case succeed(Metadata)
    /// The call failed and is over. If `reset` is set, reset the open stream with this code.
    indirect case fail(CallError, reset: HTTP2ErrorCode?)
    /// The peer did not act on the call: send it again, on any connection. The text is the reason.
    case retryTransparently(String, isRefused: Bool)
  }

  private enum State {
    case waiting
    case receiving
    case notGRPC(NonGRPCResponse)
    case over
  }

  private var state = State.waiting
  // The part of a gRPC response that has arrived.
  private var coding = ContentCoding.identity
  private var deframer: MessageDeframer
  private var messageCount = 0
  private let expectsOneMessage: Bool
  private let deadline: ContinuousClock.Instant?

  /// - Parameter expectsOneMessage: whether the response is exactly one message, as for unary and
  ///   client streaming calls.
  package init(
    expectsOneMessage: Bool, maxReceiveMessageSize: Int, deadline: ContinuousClock.Instant?
  ) {
    self.expectsOneMessage = expectsOneMessage
    deframer = MessageDeframer(limit: maxReceiveMessageSize)
    self.deadline = deadline
  }

  // MARK: Events of the peer

  /// The final headers of the response. 1xx headers are not passed to this machine.
  package mutating func receiveHeaders(
    _ head: ResponseHead, endStream: Bool, now: ContinuousClock.Instant
  ) -> Action {
    switch state {
    case .waiting: break
    case .receiving, .notGRPC: return outOfOrder("final headers came twice")
    case .over: return .ignore
    }
    if endStream {
      // Trailers-Only. A grpc-status is used regardless of the other headers.
      let status = ResponseStatus(head.fields)
      if status.code != .missing || head.isGRPC {
        return finish(status, httpStatus: head.httpStatus, now: now)
      }
      return fail(CallError(notGRPC: head))
    }
    guard head.isGRPC else {
      state = .notGRPC(NonGRPCResponse(CallError(notGRPC: head)))
      return .limit(NonGRPCResponse.timeLimit)
    }
    coding = head.coding
    state = .receiving
    return .begin(head.metadata)
  }

  /// Bytes of the body; empty if they only carry `endStream`. Completed messages are appended to
  /// `messages` and precede the returned action.
  package mutating func receiveData(
    _ bytes: ArraySlice<UInt8>, endStream: Bool, into messages: inout [MessageDeframer.Message]
  ) -> Action {
    switch state {
    case .receiving:
      if let error = receive(bytes, into: &messages) {
        return fail(error, reset: endStream ? nil : .cancel)
      }
      return endStream ? endWithoutTrailers() : .wait
    case .notGRPC(let response):
      let isEnough = response.receive(bytes)
      if endStream { return endWithoutTrailers() }
      return isEnough ? fail(response.withBody, reset: .cancel) : .wait
    case .waiting:
      return outOfOrder("data came before headers")
    case .over:
      return .ignore
    }
  }

  /// Returns the error if the bytes are invalid.
  private mutating func receive(
    _ bytes: ArraySlice<UInt8>, into messages: inout [MessageDeframer.Message]
  ) -> CallError? {
    var bytes = bytes
    do throws(MessageDeframer.Failure) {
      while let message = try deframer.receive(&bytes) {
        messageCount += 1
        if expectsOneMessage, messageCount > 1 {
          return .transport(
            .unimplemented, "the server sent more than one message", cause: .wrongMessageCount)
        }
        if let error = coding.refusal(of: message) { return error }
        messages.append(message)
      }
      return nil
    } catch {
      return CallError(error)
    }
  }

  /// The trailers after the body. They end the stream.
  package mutating func receiveTrailers(
    _ status: consuming ResponseStatus, now: ContinuousClock.Instant
  ) -> Action {
    switch state {
    case .receiving:
      if deframer.isInsideMessage, status.code == .present(.ok) {
        return fail(.transport(.internal, "the trailers came in the middle of a message"))
      }
      return finish(status, now: now)
    case .notGRPC(let response):
      if case .present(let code) = status.code, code != .ok { return finish(status, now: now) }
      return fail(response.withBody)
    case .waiting:
      return outOfOrder("trailers came before headers")
    case .over:
      return .ignore
    }
  }

  /// The stream is closed. After trailers this has no effect, because they ended the call.
  package mutating func streamClosed(
    _ closure: StreamClosure, now: ContinuousClock.Instant
  ) -> Action {
    if case .over = state { return .ignore }
    switch closure {
    case .unprocessed:
      guard case .waiting = state else {
        return fail(
          .transport(
            .unavailable,
            "the server began its response, but then reported the call as not processed (GOAWAY)"))
      }
      return retryTransparently(
        "the server is draining and did not process the call", isRefused: false)
    case .notSent(let error):
      return fail(.local(.internal, "the request could not be sent: \(error)"))
    case .resetByPeer(.refusedStream):
      guard case .waiting = state else {
        return fail(
          .transport(
            .unavailable,
            "the server began its response, but then refused the stream (REFUSED_STREAM)"))
      }
      return retryTransparently("the server refused the stream", isRefused: true)
    case .resetByPeer(let code):
      if case .notGRPC(let response) = state { return fail(response.withBody) }
      if code == .cancel, hasExpired(now) { return fail(deadlineExceeded()) }
      return fail(.reset(code))
    case .violation(let error):
      if error.kind == .headerListTooLarge {
        return fail(
          .transport(.resourceExhausted, "the server's headers are too long: \(error.detail)"))
      }
      return fail(.transport(.internal, "the server violated HTTP/2: \(error)"))
    case .finished, .resetLocally:
      return endWithoutTrailers()
    }
  }

  // MARK: Events of the client

  /// The connection is lost, for this reason.
  package mutating func connectionLost(_ error: CallError) -> Action {
    if case .notGRPC(let response) = state { return fail(response.withBody) }
    return fail(error)
  }

  /// The caller canceled the call.
  package mutating func cancel(now: ContinuousClock.Instant) -> Action {
    if hasExpired(now) { return expire() }
    return fail(.local(.cancelled, "the call was canceled"), reset: .cancel)
  }

  /// The deadline, or the time of ``Action/limit(_:)``, has passed.
  package mutating func expire() -> Action {
    if case .notGRPC(let response) = state { return fail(response.withBody, reset: .cancel) }
    return fail(deadlineExceeded(), reset: .cancel)
  }

  // MARK: The end

  private mutating func fail(_ error: CallError, reset: HTTP2ErrorCode? = nil) -> Action {
    if case .over = state { return .ignore }
    state = .over
    return .fail(error, reset: reset)
  }

  /// Fails after an event that ``WireHTTP2`` does not pass on in this state.
  private mutating func outOfOrder(_ problem: String) -> Action {
    fail(
      .transport(.internal, "the HTTP/2 events are out of order: \(problem)"),
      reset: .internalError)
  }

  private mutating func retryTransparently(_ reason: String, isRefused: Bool) -> Action {
    state = .over
    return .retryTransparently(reason, isRefused: isRefused)
  }

  private mutating func finish(
    _ status: consuming ResponseStatus, httpStatus: Int = 200, now: ContinuousClock.Instant
  ) -> Action {
    state = .over
    guard status.code == .present(.ok) else {
      let error = CallError(status, httpStatus: httpStatus)
      // After the deadline, CANCELLED from the server means that the deadline passed there.
      let isLate = error.code == .cancelled && hasExpired(now)
      return .fail(isLate ? deadlineExceeded() : error, reset: nil)
    }
    if expectsOneMessage, messageCount == 0 {
      return .fail(
        .transport(
          .unimplemented, "the server returned OK without a message", cause: .wrongMessageCount),
        reset: nil)
    }
    return .succeed(status.metadata)
  }

  /// END_STREAM came on DATA, or the stream was closed without an error.
  private mutating func endWithoutTrailers() -> Action {
    switch state {
    case .waiting:
      fail(.transport(.internal, "the server closed the stream without a response"))
    case .receiving:
      fail(.transport(.internal, "the server closed the stream without trailers"))
    case .notGRPC(let response):
      fail(response.withBody)
    case .over:
      .ignore
    }
  }

  private func hasExpired(_ now: ContinuousClock.Instant) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  private func deadlineExceeded() -> CallError {
    let text =
      switch state {
      case .waiting: "the deadline passed before the server responded"
      case .receiving, .notGRPC, .over: "the deadline passed before the response was complete"
      }
    return .local(.deadlineExceeded, text)
  }
}
