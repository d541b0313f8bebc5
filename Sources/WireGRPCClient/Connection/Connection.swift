import WireGRPC
import WireHTTP2
import WireIO
import WireTLS
import WireTransport

/// One HTTP/2 connection and the calls on it. Lives on the loop, owned by a ``Dispatcher``, and
/// tells it what happens through one closure.
///
/// What to do is decided by ``ConnectionStateMachine`` and each call's ``CallStateMachine``; this
/// class carries it out.
final class Connection {
  enum Event {
    /// The socket is connected: other attempts can be given up.
    case connected
    case ready
    /// There may be room for more calls.
    case hasRoom
    /// It takes no more calls.
    case draining
    /// The peer goes away since it was pinged too often.
    case pingedTooOften
    /// It ended with OK.
    case callEnded(Call)
    /// It, or this attempt of it, failed.
    indirect case attemptFailed(Call, CallError)
    /// The peer did not act on these calls, the oldest first; they want another connection.
    case callsDisplaced([Call])
    /// The last event. With a failure, it never became ready.
    indirect case closed(ConnectionFailure?)
  }

  let address: SocketAddress
  /// The address in words: made once, as observers are told of it with every call.
  private(set) lazy var peer = address.description
  let usesTLS: Bool
  private let dialled = ContinuousClock.now
  let context: ConnectionContext
  let session: HTTP2ClientSession
  var handler: (Connection, Event) -> Void
  private(set) var stream: (any ByteStream)?
  var machine = ConnectionStateMachine()
  private var connectTimer: LoopTimer?
  var idleTimer: LoopTimer?
  var pauseTimer: LoopTimer?
  var keepalive: KeepaliveStateMachine?
  var keepaliveTimeout = Duration.zero
  var keepaliveTimer: LoopTimer?
  var calls = StreamTable<Call>()
  /// The calls of the streams that closed last, for the trace of their last frames; empty without one.
  var closedCalls: [(stream: StreamID, request: CallRequest)] = []
  /// Streams whose calls ended with trailers, until the session says that they are closed.
  var answered: [StreamID] = []
  /// What the last headers and trailers said.
  var heads = HeaderMemo(ResponseHead.init)
  var statuses = HeaderMemo(ResponseStatus.init)
  /// The stream that the peer began to answer last; 0 before the first.
  var lastAnswered: StreamID = 0
  /// Whether another like this one may be opened at once.
  var wasUseful: Bool { lastAnswered > 0 || session.hasUsedUpStreamIDs }
  var refusedStreams = RefusedStreams()
  var hasReceivedBytes = false
  /// The peer's last GOAWAY: `GOAWAY NO_ERROR "max_age"`; without one, at the end, why it came.
  var goAwayReason: String?
  /// Calls to be sent elsewhere, until all that came with them has been looked at.
  var displaced: [Call] = []
  /// Whether there may be room that the dispatcher does not know of.
  private var hasNewRoom = false
  /// The messages of one DATA event; the storage is used again.
  var messages: [MessageDeframer.Message] = []
  /// The headers of one request; the storage is used again.
  private var headers = RequestHeaders.Draft()
  private var isFlushScheduled = false
  private var wasReady = false

  /// Starts to connect.
  ///
  /// - Throws: what can be told at once.
  init(
    to address: SocketAddress, context: ConnectionContext, deadline: ContinuousClock.Instant,
    handler: @escaping (Connection, Event) -> Void
  ) throws(ConnectionFailure) {
    self.address = address
    self.context = context
    self.handler = handler
    usesTLS = context.tls != nil
    do throws(HTTP2Error) {
      session = try HTTP2ClientSession(configuration: context.http2)
    } catch {
      throw context.failure(.configuration, at: address, "HTTP/2 cannot be set up: \(error)")
    }
    context.trace(.connecting(address: address.description))
    stream = try context.dial(address)
    stream?.user = self
    connectTimer = context.loop.schedule(at: deadline) { [self] in
      perform(machine.connectTimerFired())
    }
  }

  // MARK: Calls

  /// Whether it takes another call now. What the session knows already, a GOAWAY or a lower limit,
  /// counts before its event is taken.
  var hasCapacity: Bool { machine.capacity > 0 && session.canSubmit }

  /// Whether another connection would serve calls that this one has no stream for.
  var isFull: Bool { machine.isFull }

  /// Whether not even the socket is connected.
  var isDialling: Bool { machine.phase == .connecting }

  /// What it is doing before it is ready.
  var progress: String {
    switch machine.phase {
    case .connecting: "\(address) did not respond"
    case .tunnelling: "the proxy \(address) did not connect to the server"
    case .securing: "\(address) did not finish the TLS handshake"
    default: "\(address) sent no HTTP/2 SETTINGS"
    }
  }

  /// Sends a call. The caller has seen to it that there is capacity.
  func start(_ call: Call, now: ContinuousClock.Instant) {
    let request = call.request
    // Taken out while it is filled: so no access to a property is held, which would be checked.
    var headers = RequestHeaders.Draft()
    swap(&headers, &self.headers)
    defer { swap(&headers, &self.headers) }
    context.headers.write(
      path: request.path, timeout: request.deadline.map(now.duration(to:)),
      compression: request.compression, previousAttempts: call.previousAttempts,
      metadata: request.metadata, to: &headers)
    let (body, isLast) = call.beginSending(on: self)
    let id: StreamID
    do throws(HTTP2Error) {
      // gRPC has an empty request end with an empty DATA frame, not with its headers.
      let isWhole = isLast && !body.isEmpty
      id = try session.submitRequest(headers.list, body: body, endStream: isWhole)
      if isLast, !isWhole { session.sendData(id, [], endStream: true) }
    } catch {
      let code: StatusCode = error.kind == .headerListTooLarge ? .resourceExhausted : .internal
      fail(call, .local(code, "the request could not be sent: \(error)"))
      return
    }
    calls[id] = call
    call.place = (self, id)
    call.wasSent(to: address)
    machine.callStarted()
    if context.trace.isOn {
      context.trace(call: request, .requestHeaders(Tracer.headers(headers.list.fields)))
      traceMessages(of: call, in: body)
    }
    scheduleFlush()
    if keepalive != nil { wakeKeepalive() }
    if session.hasUsedUpStreamIDs { perform(machine.leave()) }
  }

  /// Does what the caller of a streaming call makes possible: sends the messages that it has given,
  /// and lets the peer send as many bytes as it has read.
  func serve(_ call: Call) {
    guard let id = call.place?.stream else { return }
    session.consumeStream(id, call.credit(received: 0))
    sendMore(of: call, id)
    scheduleFlush()
  }

  /// Sends what the caller has given, unless too much waits in the session already: then the session
  /// says when it does not.
  func sendMore(of call: Call, _ id: StreamID) {
    guard session.unsentBytes(id) < context.http2.bodyLowWater, let more = call.takeMore() else {
      return
    }
    session.sendData(id, more.bytes, endStream: more.isLast)
    if context.trace.isOn { traceMessages(of: call, in: more.bytes) }
    scheduleFlush()
  }

  private func traceMessages(of call: Call, in frames: [UInt8]) {
    for message in MessageFramer.messages(in: frames) {
      context.trace(call: call.request, .requestMessage(bytes: message.bytes.count))
    }
  }

  func cancel(_ call: Call, now: ContinuousClock.Instant) {
    act(on: call, call.withMachine { $0.cancel(now: now) })
  }

  func expire(_ call: Call) {
    act(on: call, call.withMachine { $0.expire() })
  }

  private func act(on call: Call, _ action: CallStateMachine.Action) {
    guard let id = call.place?.stream else { return }
    perform(action, on: call, id)
    processEvents()
    scheduleFlush()
  }

  // MARK: The end

  /// Takes no more calls, and closes after the last.
  func leave() {
    perform(machine.leave())
  }

  func close(_ reason: String) {
    handler(self, .draining)
    session.goAway()
    finish(calls: .transport(.unavailable, reason), nil)
  }

  /// Closes at once; calls on it fail, of which the peer is told.
  func abort(_ error: CallError) {
    if !calls.isEmpty {
      for id in calls.keys { session.reset(id, errorCode: .cancel) }
      session.goAway()
    }
    finish(calls: error, nil)
  }

  func finish(calls error: CallError, _ failure: ConnectionFailure?) {
    guard let stream else { return }
    self.stream = nil
    machine.lost()
    for timer in [connectTimer, idleTimer, pauseTimer, keepaliveTimer] { timer?.cancel() }
    stream.close()
    let error = goAwayReason.map { error.adding(", after the server's \($0)") } ?? error
    let unfinishedCalls = calls
    calls = StreamTable()
    for id in unfinishedCalls.keys.sorted() {
      guard let call = unfinishedCalls[id], call.isAt(self, id) else { continue }
      if id > session.lastOpenedStream, call.takeBack() {
        if error.connectionFailure == nil {
          displaced.append(call)
        } else {
          // Another connection would end as this one did.
          handler(self, .attemptFailed(call, context.located(error, at: address)))
        }
      } else {
        perform(call.withMachine { $0.connectionLost(error) }, on: call, id)
      }
    }
    let reason = failure?.detail ?? error.message
    if goAwayReason == nil { goAwayReason = reason }
    context.trace(.closed(reason: reason))
    if wasReady {
      context.metrics?(
        .connectionClosed(
          address: address.description, reason: reason, after: ContinuousClock.now - dialled))
    }
    tellDispatcher()
    handler(self, .closed(failure))
  }
}

// MARK: Carrying out what the machines say

extension Connection {
  func perform(_ action: ConnectionStateMachine.Action) {
    switch action {
    case .none:
      break
    case .startHTTP2:
      scheduleFlush()
    case .becomeReady:
      connectTimer?.cancel()
      connectTimer = nil
      context.trace(
        .ready(
          address: address.description, maxConcurrentStreams: session.maxConcurrentStreams))
      wasReady = true
      context.metrics?(
        .connectionOpened(address: address.description, after: ContinuousClock.now - dialled))
      watchIdleness()
      handler(self, .ready)
    case .takeCalls:
      hasNewRoom = true
    case .leave:
      handler(self, .draining)
    case .close:
      close("the connection is no longer needed")
    case .timeOut(let phase):
      let failure = ConnectionFailure(
        timedOutIn: phase, at: context.peer(address), context.proxy,
        limit: context.connectTimeout, hasReceivedBytes: hasReceivedBytes)
      finish(calls: CallError(failure), failure)
    }
  }

  func perform(_ action: CallStateMachine.Action, on call: Call, _ id: StreamID) {
    switch action {
    case .wait:
      break
    case .begin(let headers):
      call.begin(headers)
    case .succeed(let trailers):
      answered.append(id)
      context.trace(call: call.request, .finished(.ok))
      call.succeed(trailers)
      handler(self, .callEnded(call))
    case .fail(let error, let reset):
      if let reset {
        session.reset(id, errorCode: reset)
      } else {
        answered.append(id)
      }
      fail(call, error)
    case .sendElsewhere(let reason, let isRefused):
      sendElsewhere(call, reason, hadNoRoom: isRefused && makeRoom(refused: id))
    }
  }

  private func sendElsewhere(_ call: Call, _ reason: String, hadNoRoom: Bool) {
    let reason = goAwayReason.map { "\(reason) (\($0))" } ?? reason
    let error = context.located(.transport(.unavailable, reason), at: address)
    if let error = call.retryTransparently(error, hadNoRoom: hadNoRoom) {
      fail(call, error)
    } else {
      context.trace(call: call.request, .transparentRetry(reason: reason))
      displaced.append(call)
    }
  }

  /// Tells at once what a batch of events has brought.
  func tellDispatcher() {
    if !displaced.isEmpty {
      // nghttp2 closes the streams beyond a GOAWAY in no order.
      let calls = displaced.sorted { $0.request.id < $1.request.id }
      displaced = []
      handler(self, .callsDisplaced(calls))
    }
    if hasNewRoom {
      hasNewRoom = false
      handler(self, .hasRoom)
    }
  }

  private func fail(_ call: Call, _ error: CallError) {
    handler(self, .attemptFailed(call, context.located(error, at: address)))
  }

  /// Writes once for all that this turn of the loop brings.
  func scheduleFlush() {
    guard !isFlushScheduled, stream != nil else { return }
    isFlushScheduled = true
    context.loop.atEndOfRound { [self] in
      stream?.flush()
      isFlushScheduled = false
      processEvents()
    }
  }
}
