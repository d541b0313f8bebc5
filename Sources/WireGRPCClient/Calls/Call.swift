import WireGRPC
import WireHTTP2
import WireIO
import WireSystem

/// A call on the loop, from the submission queue to its end. Not Sendable.
final class Call {
  let request: CallRequest
  let isObserved: Bool
  /// The state of the current attempt.
  private var machine: CallStateMachine
  private var window = ReceiveWindow()
  private(set) var isOver = false
  private(set) var attempts = 0
  private var retries: RetryStateMachine
  private(set) var earlierAttempts: [FailedAttempt] = []
  /// Why the last of them could not connect; nil if it could.
  private var lastConnectionFailure: ConnectionFailure?
  private var sent: RetryBuffer
  /// The headers of the response; empty before they arrive.
  private var headers = Metadata()
  /// The last message received; used by unary calls.
  private var message = MessageDeframer.Message(isCompressed: false, bytes: [])
  /// The stream of the current attempt; nil while the call waits.
  var place: (calls: ConnectionCalls, stream: StreamID)? {
    didSet { site = place.map { (ObjectIdentifier($0.calls), $0.stream) } }
  }
  /// A copy of `place` for comparisons that do not retain the connection.
  private var site: (calls: ObjectIdentifier, stream: StreamID)?
  var timer: LoopTimer?
  /// Set while the call waits for its next attempt.
  var retryTimer: LoopTimer?
  private let completions: CompletionBatch

  init(_ request: CallRequest, retryPolicy: RetryPolicy?, completions: CompletionBatch) {
    self.request = request
    isObserved = !request.observers.isEmpty
    self.completions = completions
    machine = Self.machine(for: request)
    retries = RetryStateMachine(retryPolicy)
    switch request.caller {
    case .waiter, .callback: sent = RetryBuffer(request.body, isComplete: true)
    case .exchange: sent = RetryBuffer()
    }
  }

  private static func machine(for request: CallRequest) -> CallStateMachine {
    CallStateMachine(
      expectsOneMessage: request.expectsOneMessage,
      maxReceiveMessageSize: request.maxReceiveMessageSize, deadline: request.deadline)
  }

  func wasSent(to address: SocketAddress) {
    attempts += 1
    if case .exchange(let exchange) = request.caller {
      let attempts = attempts
      exchange.responses.withLock { $0.sent(to: address, attempts: attempts) }
    }
  }

  /// Returns whether the call is on this stream, so that the stream's events are for it.
  func isAt(_ calls: ConnectionCalls, _ stream: StreamID) -> Bool {
    guard let site else { return false }
    return site.stream == stream && site.calls == ObjectIdentifier(calls)
  }

  /// Requeues a call of which no byte reached the wire, as if it had never been sent. Returns false if
  /// its messages are no longer kept.
  func requeue() -> Bool {
    guard !sent.isCommitted else { return false }
    place = nil
    attempts -= 1
    machine = Self.machine(for: request)
    window = ReceiveWindow()
    return true
  }

  func withMachine<Result>(_ body: (inout CallStateMachine) -> Result) -> Result {
    body(&machine)
  }

  // MARK: Retries

  /// The number of retries by the policy.
  var previousAttempts: Int { retries.previousAttempts }

  /// Prepares the call for a transparent retry, after the server did not act on it. Returns the
  /// final error instead if that is not possible.
  func retryTransparently(_ error: CallError, hadNoRoom: Bool) -> CallError? {
    if retries.unprocessed(isCommitted: sent.isCommitted, hadNoRoom: hadNoRoom) {
      prepareRetry(after: error, delay: .zero)
      return nil
    }
    guard sent.isCommitted else { return error }
    let kept = RetryBuffer.limit / 1024
    return error.adding("; not retried, because more than \(kept) KiB had been sent")
  }

  /// Asks the policy for a retry, and prepares the call if there is one.
  func attemptFailed(
    _ error: CallError, throttle: inout RetryThrottle
  ) -> RetryStateMachine.Decision {
    let decision = retries.attemptFailed(
      error, commitment: sent.commitment, throttle: &throttle, random: .random(in: 0..<1))
    if case .retry(let delay) = decision { prepareRetry(after: error, delay: delay) }
    return decision
  }

  private func prepareRetry(after error: CallError, delay: Duration) {
    let error = error.redacted(for: request.metadata)
    let failure = FailedAttempt(
      code: error.code, message: error.message, peer: error.peer, delay: delay)
    earlierAttempts.append(failure)
    lastConnectionFailure = error.connectionFailure
    if isObserved { request.observers.report(.attemptFailed(failure)) }
    place = nil
    machine = Self.machine(for: request)
    window = ReceiveWindow()
  }

  var isPausing: Bool { retryTimer != nil }

  /// Returns the error of a call whose deadline passed before its next attempt. It describes the last
  /// attempt, which then is no longer an earlier one.
  func expiredInPause() -> CallError {
    let error = CallError.local(.deadlineExceeded, "the deadline passed before the next attempt")
    guard let last = earlierAttempts.popLast() else { return error }
    var expired = error.adding("; the last attempt failed: \(last)")
    expired.cause = .pauseBeforeRetry
    expired.peer = last.peer
    expired.connectionFailure = lastConnectionFailure
    return expired
  }

  // MARK: Sending

  /// Returns all that this attempt can send now.
  func beginSending(on calls: ConnectionCalls) -> (bytes: [UInt8], isLast: Bool) {
    if isObserved {
      request.observers.report(.attempt(number: attempts + 1, peer: calls.peer))
    }
    var bytes = sent.bytes
    if let more = takeMore() {
      if bytes.isEmpty { bytes = more.bytes } else { bytes += more.bytes }
    }
    return (bytes, sent.isComplete)
  }

  /// Takes the messages that the caller has sent since the last call; nil if there are none.
  func takeMore() -> (bytes: [UInt8], isLast: Bool)? {
    guard case .exchange(let exchange) = request.caller else { return nil }
    var senders: [CallExchange.Waker] = []
    let taken = exchange.requests.withLock { $0.take(waking: &senders) }
    guard let more = taken else { return nil }
    sent.append(more.bytes, isLast: more.isLast)
    wake(senders)
    if isObserved { request.reportRequest(more.bytes, isLast: more.isLast) }
    return more
  }

  // MARK: Receiving

  func begin(_ headers: Metadata) {
    sent.commit(.responseStarted)
    self.headers = headers
    if isObserved { request.observers.report(.responseHeaders(headers)) }
    if case .exchange(let exchange) = request.caller {
      wake(exchange.responses.withLock { $0.begin(headers) })
    }
  }

  /// Passes messages to the caller, still compressed.
  func receive(_ messages: [MessageDeframer.Message]) {
    if isObserved {
      let limit = request.maxReceiveMessageSize
      for message in messages {
        request.observers.report(
          .responseMessage(CallMessage(message: message, limit: limit)))
      }
    }
    switch request.caller {
    case .waiter, .callback:
      if let message = messages.last { self.message = message }
    case .exchange(let exchange):
      let reader = exchange.responses.withLock { $0.append(messages) }
      if let reader { completions.wake(reader) }
    }
  }

  /// Returns the bytes to return to the stream's window after `count` bytes were received.
  func credit(received count: Int) -> Int {
    guard case .exchange(let exchange) = request.caller else { return count }
    window.receive(count)
    return window.credit(held: exchange.responses.withLock { $0.heldBytes })
  }

  // MARK: The end

  /// Passes the response to the caller. Has no effect on a call that is over.
  func succeed(_ trailers: Metadata) {
    let peer = place?.calls.address
    guard end() else { return }
    if isObserved { request.reportEnd(.success(trailers), attempts: attempts) }
    if case .exchange(let exchange) = request.caller {
      wake(exchange.end(.success(trailers), attempts: attempts))
      return
    }
    let answer = CallOutcome.Answer(message: message.bytes, headers: headers, trailers: trailers)
    deliver(
      CallOutcome(
        end: .answered(answer), isCompressed: message.isCompressed, attempts: attempts, peer: peer))
  }

  /// Passes the error to the caller. Has no effect on a call that is over.
  func fail(_ error: CallError) {
    guard end() else { return }
    var error = error.redacted(for: request.metadata)
    if error.headers.isEmpty { error.headers = headers }
    if !earlierAttempts.isEmpty {
      error.earlierAttempts = earlierAttempts
      error.peer = error.peer ?? earlierAttempts.lazy.compactMap(\.peer).last
    }
    if isObserved {
      // Messages that wait to be sent for the first time are reported although they never will be.
      if attempts == 0 { _ = takeMore() }
      request.reportEnd(.failure(error), attempts: attempts)
    }
    if case .exchange(let exchange) = request.caller {
      wake(exchange.end(.failure(error), attempts: attempts))
      return
    }
    deliver(CallOutcome(end: .failed(error), attempts: attempts))
  }

  private func deliver(_ outcome: consuming CallOutcome) {
    switch request.caller {
    case .waiter(let waiter, let isOnLoop):
      completions.deliver(outcome, to: waiter, isOnLoop: isOnLoop)
    case .callback(_, let body):
      body(outcome)
    case .exchange:
      break
    }
  }

  /// Returns whether the call was not over yet.
  private func end() -> Bool {
    guard !isOver else { return false }
    isOver = true
    place = nil
    timer?.cancel()
    timer = nil
    retryTimer?.cancel()
    retryTimer = nil
    sent.commit(.responseStarted)
    return true
  }

  private func wake(_ wakers: [CallExchange.Waker]) {
    for waker in wakers { completions.wake(waker) }
  }
}
