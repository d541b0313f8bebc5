import WireGRPC
import WireHTTP2
import WireIO

/// A call on the loop, from the submission queue to its end. Not Sendable.
final class Call {
  let request: CallRequest
  let isObserved: Bool
  /// The machine of the present attempt.
  private var machine: CallStateMachine
  private var window = ReceiveWindow()
  private(set) var isOver = false
  /// How often it was sent.
  private(set) var attempts = 0
  private var retries: RetryStateMachine
  /// The attempts before this one.
  private(set) var earlierAttempts: [FailedAttempt] = []
  private var sent: RetryBuffer
  /// The headers of the response; empty before they come.
  private var headers = Metadata()
  /// The last message that a unary call received.
  private var message = MessageDeframer.Message(isCompressed: false, bytes: [])
  /// Where it is now; nil while it is queued.
  var place: (connection: Connection, stream: StreamID)? {
    didSet { site = place.map { (ObjectIdentifier($0.connection), $0.stream) } }
  }
  /// The same, to be compared without retaining anything.
  private var site: (connection: ObjectIdentifier, stream: StreamID)?
  var timer: LoopTimer?
  /// Set while it waits for its next attempt.
  private var retryTimer: LoopTimer?

  private let completions: CompletionBatch

  init(_ request: CallRequest, retryPolicy: RetryPolicy?, completions: CompletionBatch) {
    self.request = request
    isObserved = !request.observers.isEmpty
    self.completions = completions
    machine = Self.machine(for: request)
    retries = RetryStateMachine(retryPolicy)
    switch request.caller {
    case .waiter: sent = RetryBuffer(request.body, isComplete: true)
    case .exchange: sent = RetryBuffer()
    }
  }

  private static func machine(for request: CallRequest) -> CallStateMachine {
    CallStateMachine(
      wantsOneMessage: request.wantsOneMessage,
      maxReceiveMessageSize: request.maxReceiveMessageSize, deadline: request.deadline)
  }

  func wasSent(to address: SocketAddress) {
    attempts += 1
    if case .exchange(let exchange) = request.caller {
      exchange.sent(to: address, attempts: attempts)
    }
  }

  /// Whether it is there, and what comes from there is for it.
  func isAt(_ connection: Connection, _ stream: StreamID) -> Bool {
    guard let site else { return false }
    return site.stream == stream && site.connection == ObjectIdentifier(connection)
  }

  /// Has a call that was given to a connection, of which nothing left, wait for another as if it had
  /// not been sent. Returns false when not all of it is kept.
  func takeBack() -> Bool {
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

  // MARK: Other attempts

  /// How often its policy had it tried again.
  var previousAttempts: Int { retries.previousAttempts }

  /// Has the call, which the server did not act on, sent again at once; if that cannot be, returns the
  /// error that it failed with instead.
  func retryTransparently(_ error: CallError, hadNoRoom: Bool) -> CallError? {
    if retries.unprocessed(isCommitted: sent.isCommitted, hadNoRoom: hadNoRoom) {
      beginAgain(after: error, delay: .zero)
      return nil
    }
    guard sent.isCommitted else { return error }
    let kept = RetryBuffer.limit / 1024
    return error.adding(
      ", and more than the \(kept) KiB that can be retried was sent")
  }

  /// Whether the call is to be tried again, for which it is then prepared.
  func attemptFailed(
    _ error: CallError, throttle: inout RetryThrottle
  ) -> RetryStateMachine.Decision {
    let decision = retries.attemptFailed(
      error, isCommitted: sent.isCommitted, throttle: &throttle, random: .random(in: 0..<1))
    if case .retry(let delay) = decision { beginAgain(after: error, delay: delay) }
    return decision
  }

  private func beginAgain(after error: CallError, delay: Duration) {
    let error = error.redacted(for: request.metadata)
    let failure = FailedAttempt(
      code: error.code, message: error.message, peer: error.peer, delay: delay)
    earlierAttempts.append(failure)
    if isObserved { tell(.attemptFailed(failure)) }
    place = nil
    machine = Self.machine(for: request)
    window = ReceiveWindow()
  }

  /// Whether it waits for its next attempt.
  var isPausing: Bool { retryTimer != nil }

  func pause(_ timer: LoopTimer) {
    retryTimer = timer
  }

  func resume() {
    retryTimer = nil
  }

  // MARK: What is sent

  /// All that this attempt has to send by now.
  func beginSending(on connection: Connection) -> (bytes: [UInt8], isLast: Bool) {
    if isObserved { tell(.attempt(number: attempts + 1, peer: connection.peer)) }
    var bytes = sent.bytes
    if let more = takeMore() {
      if bytes.isEmpty { bytes = more.bytes } else { bytes += more.bytes }
    }
    return (bytes, sent.isComplete)
  }

  /// What the caller has given since; nil when that is nothing.
  func takeMore() -> (bytes: [UInt8], isLast: Bool)? {
    guard case .exchange(let exchange) = request.caller else { return nil }
    var senders: [CallExchange.Waker] = []
    guard let more = exchange.takeRequests(waking: &senders) else { return nil }
    sent.append(more.bytes, isLast: more.isLast)
    wake(senders)
    if isObserved { tellRequest(more.bytes, isLast: more.isLast) }
    return more
  }

  // MARK: What is received

  func begin(_ headers: Metadata) {
    sent.commit()
    self.headers = headers
    if isObserved { tell(.responseHeaders(headers)) }
    if case .exchange(let exchange) = request.caller { wake(exchange.begin(headers)) }
  }

  /// Hands messages on, compressed if they are.
  func receive(_ messages: [MessageDeframer.Message]) {
    if isObserved {
      let limit = request.maxReceiveMessageSize
      for message in messages {
        tell(.responseMessage(CallMessage(message: message, limit: limit)))
      }
    }
    switch request.caller {
    case .waiter:
      if let message = messages.last { self.message = message }
    case .exchange(let exchange):
      if let reader = exchange.append(messages) { completions.wake(reader) }
    }
  }

  /// What of the stream's window is to be given back when so many bytes have come.
  func credit(received count: Int) -> Int {
    guard case .exchange(let exchange) = request.caller else { return count }
    window.receive(count)
    return window.credit(held: exchange.heldBytes)
  }

  // MARK: The end

  /// Hands the answer to the caller, once.
  func succeed(_ trailers: Metadata) {
    let peer = place?.connection.address
    guard end() else { return }
    if isObserved { tellEnd(.success(trailers)) }
    switch request.caller {
    case .waiter(let waiter, let isOnLoop):
      let answer = CallOutcome.Answer(
        message: message.bytes, headers: headers, trailers: trailers)
      completions.deliver(
        CallOutcome(
          .answered(answer), isCompressed: message.isCompressed, attempts: attempts, peer: peer),
        to: waiter, isOnLoop: isOnLoop)
    case .exchange(let exchange):
      wake(exchange.end(.success(trailers), attempts: attempts))
    }
  }

  /// Hands the error to the caller, once.
  func fail(_ error: CallError) {
    guard end() else { return }
    var error = error.redacted(for: request.metadata)
    if error.headers.isEmpty { error.headers = headers }
    if !earlierAttempts.isEmpty {
      error.earlierAttempts = earlierAttempts
      error.peer = error.peer ?? earlierAttempts.lazy.compactMap(\.peer).last
    }
    if isObserved {
      // What waits to be sent for the first time is told, though it never will be.
      if attempts == 0 { _ = takeMore() }
      tellEnd(.failure(error))
    }
    switch request.caller {
    case .waiter(let waiter, let isOnLoop):
      completions.deliver(
        CallOutcome(.failed(error), attempts: attempts), to: waiter, isOnLoop: isOnLoop)
    case .exchange(let exchange):
      wake(exchange.end(.failure(error), attempts: attempts))
    }
  }

  /// Returns whether it was not over yet.
  private func end() -> Bool {
    guard !isOver else { return false }
    isOver = true
    place = nil
    timer?.cancel()
    timer = nil
    retryTimer?.cancel()
    retryTimer = nil
    sent.commit()
    return true
  }

  private func wake(_ wakers: [CallExchange.Waker]) {
    for waker in wakers { completions.wake(waker) }
  }
}
