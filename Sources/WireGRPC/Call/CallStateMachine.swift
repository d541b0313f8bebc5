package import WireHTTP2

/// One attempt of a call, of any kind: what arrives on its stream goes in, and what it means for the
/// call comes out, as it comes: headers, messages, the end. Knows no stream ids, no sockets and no
/// clock.
///
///     waiting ──headers──▶ answering ──trailers──▶ over
///        │                     └──END_STREAM, reset, limit, deadline, cancellation──▶ over
///        ├──trailers alone──▶ over
///        └──headers that are not gRPC──▶ explaining ──end, or enough of the body──▶ over
///
/// After its end nothing a peer sends has any effect.
package struct CallStateMachine: ~Copyable {
  package enum Action {
    /// Nothing to do yet.
    case wait
    /// The answer begins, with these headers: from now on the call cannot be sent elsewhere.
    case begin(Metadata)
    /// The call went well and is over, with these trailers.
    case succeed(Metadata)
    /// The call is over. With `reset` the stream is still open and is to be reset with that code.
    indirect case fail(CallError, reset: HTTP2ErrorCode?)
    /// The peer did not act on the call: send it again, elsewhere. The text says why.
    case retryTransparently(String, isRefused: Bool)
  }

  /// An answer of a proxy or of some other server: the beginning of its body may say why.
  private final class Explanation {
    private let error: CallError
    private var body: [UInt8] = []

    init(_ error: CallError) { self.error = error }

    /// Returns whether there is enough to show.
    func receive(_ bytes: ArraySlice<UInt8>) -> Bool {
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
    case answering
    case explaining(Explanation)
    case over
  }

  private var state = State.waiting
  // An answer in gRPC's form, as far as it came.
  private var coding = ContentCoding.identity
  private var deframer: MessageDeframer
  private var messageCount = 0
  private let wantsOneMessage: Bool
  private let deadline: ContinuousClock.Instant?
  /// How much of an HTTP error page is worth showing, in bytes.
  fileprivate static let snippetSize = 256

  /// - Parameter wantsOneMessage: whether the answer is one message, no more and no less, as it is
  ///   of unary and client streaming calls.
  package init(
    wantsOneMessage: Bool, maxReceiveMessageSize: Int, deadline: ContinuousClock.Instant?
  ) {
    self.wantsOneMessage = wantsOneMessage
    deframer = MessageDeframer(limit: maxReceiveMessageSize)
    self.deadline = deadline
  }

  // MARK: What the peer sends

  /// The final headers of the answer; 1xx headers are not shown to the machine.
  package mutating func receiveHeaders(
    _ head: ResponseHead, endStream: Bool, now: ContinuousClock.Instant
  ) -> Action {
    guard case .waiting = state else { return .wait }
    if endStream {
      // Trailers-Only. A grpc-status is believed whatever else the headers say.
      let status = ResponseStatus(head.fields)
      if status.code != .missing || head.isGRPC {
        return finish(status, httpStatus: head.httpStatus, now: now)
      }
      return fail(CallError(notGRPC: head))
    }
    guard head.isGRPC else {
      state = .explaining(Explanation(CallError(notGRPC: head)))
      return .wait
    }
    coding = head.coding
    state = .answering
    return .begin(head.metadata)
  }

  /// Bytes of the body; they may be empty when they only say `endStream`. Messages that they
  /// complete are appended to `messages`, and come before what the action says.
  package mutating func receiveData(
    _ bytes: ArraySlice<UInt8>, endStream: Bool, into messages: inout [MessageDeframer.Message]
  ) -> Action {
    switch state {
    case .answering:
      if let error = receive(bytes, into: &messages) {
        return fail(error, reset: endStream ? nil : .cancel)
      }
      return endStream ? endWithoutTrailers() : .wait
    case .explaining(let explanation):
      let isEnough = explanation.receive(bytes)
      if endStream { return endWithoutTrailers() }
      return isEnough ? fail(explanation.withBody, reset: .cancel) : .wait
    case .waiting, .over:
      return .wait
    }
  }

  /// Returns what is wrong with the bytes, if anything.
  private mutating func receive(
    _ bytes: ArraySlice<UInt8>, into messages: inout [MessageDeframer.Message]
  ) -> CallError? {
    var bytes = bytes
    do throws(MessageDeframer.Failure) {
      while let message = try deframer.receive(&bytes) {
        messageCount += 1
        if wantsOneMessage, messageCount > 1 {
          return .transport(.unimplemented, "the server sent more than one message")
        }
        if let error = coding.refusal(of: message) { return error }
        messages.append(message)
      }
      return nil
    } catch {
      return CallError(error)
    }
  }

  /// The headers after the body; they end the stream.
  package mutating func receiveTrailers(
    _ status: consuming ResponseStatus, now: ContinuousClock.Instant
  ) -> Action {
    switch state {
    case .answering:
      if deframer.isInsideMessage, status.code == .present(.ok) {
        return fail(.transport(.internal, "the trailers came in the middle of a message"))
      }
      return finish(status, now: now)
    case .explaining(let explanation):
      if case .present(let code) = status.code, code != .ok { return finish(status, now: now) }
      return fail(explanation.withBody)
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
      guard case .waiting = state else {
        return fail(.transport(.unavailable, "the server closed the connection after its response"))
      }
      return retryTransparently("the server is draining and did not process the call", isRefused: false)
    case .notSent(let error):
      return fail(.local(.internal, "the request could not be sent: \(error)"))
    case .resetByPeer(.refusedStream):
      guard case .waiting = state else {
        return fail(.transport(.unavailable, "the server refused the stream after its response"))
      }
      return retryTransparently("the server refused the stream", isRefused: true)
    case .resetByPeer(let code):
      if code == .cancel, hasExpired(now) { return fail(deadlineExceeded()) }
      if case .explaining(let explanation) = state { return fail(explanation.withBody) }
      return fail(
        .transport(StatusCode(resetWith: code), "the server reset the stream with \(code)"))
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
    return .fail(error, reset: reset)
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
      // What the server made of a cancellation that came too late to matter is not news.
      let isLate = error.code == .cancelled && hasExpired(now)
      return .fail(isLate ? deadlineExceeded() : error, reset: nil)
    }
    if wantsOneMessage, messageCount == 0 {
      return .fail(
        .transport(.unimplemented, "the server returned OK without a message"), reset: nil)
    }
    return .succeed(status.metadata)
  }

  /// END_STREAM came on DATA, or the stream closed as if all had been said.
  private mutating func endWithoutTrailers() -> Action {
    switch state {
    case .waiting:
      fail(.transport(.internal, "the server closed the stream without a response"))
    case .answering:
      fail(.transport(.internal, "the server closed the stream without trailers"))
    case .explaining(let explanation):
      fail(explanation.withBody)
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
      case .waiting: "the deadline passed before the server responded"
      case .answering, .explaining, .over: "the deadline passed before the response was complete"
      }
    return .local(.deadlineExceeded, text)
  }
}
