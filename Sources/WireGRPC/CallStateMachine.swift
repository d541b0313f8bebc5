package import WireHTTP2

/// A unary call on one stream, from its request being sent to its end: what arrives goes in, what
/// to do about it comes out. Knows no stream ids, no sockets and no clock.
///
///     waiting ──headers──▶ answering ──trailers──▶ over
///        │                     └──END_STREAM, reset, limit, deadline, cancellation──▶ over
///        ├──trailers alone──▶ over
///        └──headers that are not gRPC──▶ explaining ──end, or enough of the body──▶ over
///
/// After its end nothing a peer sends has any effect.
package struct CallStateMachine: ~Copyable {
  /// What a call that ended with OK brought.
  package struct Answer: Hashable, Sendable {
    package var message: [UInt8]
    package var headers: Metadata
    package var trailers: Metadata
    /// Bytes of the message as they came, before decompression.
    package var wireSize: Int
  }

  package enum Action {
    /// Nothing to do yet.
    case wait
    /// The call is over. With `reset` the stream is still open and is to be reset with that code.
    case finish(Result<Answer, CallError>, reset: HTTP2ErrorCode?)
    /// The peer did not act on the call: send it again at once, elsewhere. The text says why.
    case sendElsewhere(String)
  }

  /// An answer in gRPC's form, as far as it came.
  private struct Answering {
    var headers: Metadata
    var coding: ContentCoding
    var httpStatus: Int
    var deframer: MessageDeframer
    var message: MessageDeframer.Message?

    /// Returns what is wrong with the bytes, if anything.
    mutating func receive(_ bytes: ArraySlice<UInt8>) -> CallError? {
      var bytes = bytes
      do throws(MessageDeframer.Failure) {
        while let next = try deframer.receive(&bytes) {
          guard message == nil else {
            return .transport(.unimplemented, "the server sent more than one message")
          }
          if let error = coding.refusal(of: next) { return error }
          message = next
        }
        return nil
      } catch {
        return CallError(error)
      }
    }
  }

  /// An answer of a proxy or of some other server: the beginning of its body may say why.
  private struct Explaining {
    var error: CallError
    var body: [UInt8] = []

    /// Returns whether there is enough to show.
    mutating func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
      body += bytes.prefix(CallStateMachine.snippetSize - body.count)
      return body.count == CallStateMachine.snippetSize
    }

    var withBody: CallError {
      guard !body.isEmpty else { return error }
      var error = error
      let text = String(decoding: body, as: UTF8.self)
      error.message += ": \"\(text.shortened(to: CallStateMachine.snippetSize))\""
      return error
    }
  }

  private enum State {
    case waiting
    case answering(Answering)
    case explaining(Explaining)
    case over
  }

  private var state = State.waiting
  private let maxReceiveMessageSize: Int
  private let deadline: ContinuousClock.Instant?
  /// How much of an HTTP error page is worth showing, in bytes.
  fileprivate static let snippetSize = 256

  package init(maxReceiveMessageSize: Int, deadline: ContinuousClock.Instant?) {
    self.maxReceiveMessageSize = maxReceiveMessageSize
    self.deadline = deadline
  }

  // MARK: What the peer sends

  /// The final headers of the answer; 1xx headers are not shown to the machine.
  package mutating func receiveHeaders(
    _ fields: [HeaderField], endStream: Bool, now: ContinuousClock.Instant
  ) -> Action {
    guard case .waiting = state else { return .wait }
    let httpStatus = fields.first { $0.name == ":status" }.flatMap { Int($0.value) } ?? 0
    let contentType = fields.first { $0.name == "content-type" }?.value

    if endStream {
      // Trailers-Only. A grpc-status is believed whatever else the headers say.
      let status = ResponseStatus(fields)
      if status.code != .missing || (httpStatus == 200 && ContentType(contentType) == .grpc) {
        return finish(status, answering: nil, httpStatus: httpStatus, now: now)
      }
      return fail(CallError(notGRPC: fields, httpStatus: httpStatus, contentType: contentType))
    }

    guard ContentType(contentType) == .grpc else {
      let error = CallError(notGRPC: fields, httpStatus: httpStatus, contentType: contentType)
      state = .explaining(Explaining(error: error))
      return .wait
    }
    let coding = fields.first { $0.name == "grpc-encoding" }?.value
    state = .answering(
      Answering(
        headers: Metadata(received: fields), coding: ContentCoding(coding), httpStatus: httpStatus,
        deframer: MessageDeframer(limit: maxReceiveMessageSize)))
    return .wait
  }

  /// Bytes of the body; they may be empty when they only say `endStream`.
  package mutating func receiveData(
    _ bytes: ArraySlice<UInt8>, endStream: Bool
  ) -> Action {
    switch state {
    case .answering(var answering):
      state = .over
      let error = answering.receive(bytes)
      state = .answering(answering)
      if let error { return fail(error, reset: endStream ? nil : .cancel) }
      return endStream ? endWithoutTrailers() : .wait
    case .explaining(var explaining):
      state = .over
      let isEnough = explaining.receive(bytes)
      state = .explaining(explaining)
      if endStream { return endWithoutTrailers() }
      return isEnough ? fail(explaining.withBody, reset: .cancel) : .wait
    case .waiting, .over:
      return .wait
    }
  }

  /// The headers after the body; they end the stream.
  package mutating func receiveTrailers(
    _ fields: [HeaderField], now: ContinuousClock.Instant
  ) -> Action {
    let status = ResponseStatus(fields)
    switch state {
    case .answering(let answering):
      if answering.deframer.isInsideMessage, status.code == .present(.ok) {
        return fail(.transport(.internal, "the trailers came in the middle of the message"))
      }
      return finish(
        status, answering: answering, httpStatus: answering.httpStatus, now: now)
    case .explaining(let explaining):
      if case .present(let code) = status.code, code != .ok {
        return finish(status, answering: nil, httpStatus: 200, now: now)
      }
      return fail(explaining.withBody)
    case .waiting, .over:
      return .wait
    }
  }

  /// The stream is over. Means nothing after trailers, as the call ended with them.
  package mutating func streamClosed(
    _ closure: StreamClosure, now: ContinuousClock.Instant
  ) -> Action {
    if case .over = state { return .wait }
    switch closure {
    case .unprocessed:
      return sendElsewhere("the server is going away and did not see the call")
    case .notSent(let error):
      return fail(.local(.internal, "the request could not be sent: \(error)"))
    case .resetByPeer(.refusedStream):
      if case .waiting = state { return sendElsewhere("the server refused the stream") }
      return fail(.transport(.unavailable, "the server refused the stream after it had answered"))
    case .resetByPeer(let code):
      if code == .cancel, hasExpired(now) { return fail(deadlineExceeded()) }
      if case .explaining(let explaining) = state { return fail(explaining.withBody) }
      return fail(
        .transport(StatusCode(resetWith: code), "the server reset the stream with \(code)"))
    case .violation(let error):
      if error.kind == .headerListTooLarge {
        return fail(
          .transport(.resourceExhausted, "the server's headers are too long: \(error.detail)"))
      }
      return fail(.transport(.internal, "the server broke HTTP/2: \(error)"))
    case .finished, .resetLocally:
      return endWithoutTrailers()
    }
  }

  // MARK: What happens on this side

  /// The connection is lost, with the reason why.
  package mutating func connectionLost(_ error: CallError) -> Action {
    fail(error)
  }

  /// The caller lost interest.
  package mutating func cancel(now: ContinuousClock.Instant) -> Action {
    if hasExpired(now) { return expire() }
    return fail(.local(.cancelled, "the call was cancelled"), reset: .cancel)
  }

  /// The deadline has come.
  package mutating func expire() -> Action {
    fail(deadlineExceeded(), reset: .cancel)
  }

  // MARK: Ends

  private mutating func fail(_ error: CallError, reset: HTTP2ErrorCode? = nil) -> Action {
    if case .over = state { return .wait }
    state = .over
    return .finish(.failure(error), reset: reset)
  }

  private mutating func sendElsewhere(_ reason: String) -> Action {
    state = .over
    return .sendElsewhere(reason)
  }

  private mutating func finish(
    _ status: ResponseStatus, answering: Answering?, httpStatus: Int, now: ContinuousClock.Instant
  ) -> Action {
    state = .over
    guard status.code == .present(.ok) else {
      let error = CallError(status, httpStatus: httpStatus)
      // What the server made of a cancellation that came too late to matter is not news.
      let isLate = error.code == .cancelled && hasExpired(now)
      return .finish(.failure(isLate ? deadlineExceeded() : error), reset: nil)
    }
    guard let answering, let message = answering.message else {
      let error = CallError.transport(.unimplemented, "the server said OK without a message")
      return .finish(.failure(error), reset: nil)
    }
    do throws(CallError) {
      let bytes = try answering.coding.decode(message, limit: maxReceiveMessageSize)
      let answer = Answer(
        message: bytes, headers: answering.headers, trailers: status.metadata,
        wireSize: message.bytes.count)
      return .finish(.success(answer), reset: nil)
    } catch {
      return .finish(.failure(error), reset: nil)
    }
  }

  /// END_STREAM came on DATA, or the stream closed as if all had been said.
  private mutating func endWithoutTrailers() -> Action {
    switch state {
    case .waiting:
      fail(.transport(.internal, "the server closed the stream without an answer"))
    case .answering(let answering) where answering.httpStatus != 200:
      fail(CallError(httpStatus: answering.httpStatus, metadata: answering.headers))
    case .answering:
      fail(.transport(.internal, "the server closed the stream without trailers"))
    case .explaining(let explaining):
      fail(explaining.withBody)
    case .over:
      .wait
    }
  }

  private func hasExpired(_ now: ContinuousClock.Instant) -> Bool {
    deadline.map { $0 <= now } ?? false
  }

  private func deadlineExceeded() -> CallError {
    let text =
      switch state {
      case .waiting: "the deadline passed before the server answered"
      case .answering, .explaining, .over: "the deadline passed before the answer was complete"
      }
    return .local(.deadlineExceeded, text)
  }
}
