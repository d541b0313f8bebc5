import WireGRPC
import WireHTTP2
import WireIO
import WireTransport

/// One HTTP/2 connection, from the dial to its end. Lives on the loop, owned by a ``Dispatcher``, to
/// which it reports through one closure.
///
/// ``ConnectionStateMachine`` decides, and this class carries out its actions. ``ConnectionCalls`` does the
/// same for the calls.
final class Connection {
  private struct Timers {
    var connect: LoopTimer?
    var idle: LoopTimer?
    var pause: LoopTimer?
    var keepalive: LoopTimer?

    func cancel() {
      for timer in [connect, idle, pause, keepalive] { timer?.cancel() }
    }
  }

  private let context: ConnectionContext
  private let session: HTTP2ClientSession
  private let calls: ConnectionCalls
  private let started: ContinuousClock.Instant
  var handler: (Connection, Event) -> Void
  private var stream: (any ByteStream)?
  private var machine = ConnectionStateMachine()
  private var keepalive: KeepaliveStateMachine?
  private var timers = Timers()
  /// Whether there may be room that the dispatcher does not know of.
  private var hasRoom = false
  private var hasReceivedBytes = false
  private var isFlushScheduled = false
  private var closeReason: String?

  /// Starts to connect.
  ///
  /// - Throws: failures that need no I/O, such as an invalid configuration.
  init(
    to address: SocketAddress, context: ConnectionContext, deadline: ContinuousClock.Instant,
    handler: @escaping (Connection, Event) -> Void
  ) throws(ConnectionFailure) {
    self.context = context
    self.handler = handler
    started = context.now
    do throws(HTTP2Error) {
      session = try HTTP2ClientSession(configuration: context.http2)
    } catch {
      throw context.failure(.configuration, at: address, "HTTP/2 cannot be set up: \(error)")
    }
    calls = ConnectionCalls(on: session, to: address, context)
    context.trace?.report(.connecting(address: address.description))
    stream = try context.dial(address)
    stream?.user = self
    calls.connection = self
    setConnectDeadline(deadline)
  }

  /// Sets when the connection must be ready, or fail.
  func setConnectDeadline(_ deadline: ContinuousClock.Instant) {
    timers.connect?.cancel()
    timers.connect = context.loop.schedule(at: deadline) { [self] in
      perform(machine.connectTimerFired())
    }
  }

  var address: SocketAddress { calls.address }
  var remoteSettings: HTTP2Settings? { session.remoteSettings }
  private var usesTLS: Bool { context.tls != nil }

  /// The peer's last GOAWAY (`GOAWAY NO_ERROR "max_age"`); without one, the reason for the end.
  var goAwayReason: String? { calls.goAway ?? closeReason }

  /// Whether it accepts another call now. A GOAWAY or a lower limit that the session has received
  /// counts before its event is taken.
  var hasCapacity: Bool { machine.capacity > 0 && session.canSubmit }

  /// Whether another connection would help calls for which this one has no stream.
  var isFull: Bool { machine.isFull }

  var isDialing: Bool { machine.phase == .connecting }

  /// Whether another connection like this one may be opened at once.
  var wasUseful: Bool { calls.hasAnswered || session.hasUsedUpStreamIDs }

  var progress: String { machine.phase.pendingStep(of: address, context.proxy) }

  // MARK: Calls

  /// Sends a call. The caller has checked that there is capacity.
  func start(_ call: Call, now: ContinuousClock.Instant) {
    guard calls.start(call, now: now) else { return }
    machine.callStarted()
    scheduleFlush()
    if keepalive?.isResting == true, let action = keepalive?.callStarted(now: context.now) {
      perform(action)
    }
    if session.hasUsedUpStreamIDs { leave() }
  }

  /// Opens no stream for this time, or until the present pause ends, because the peer had no room.
  func pause(for time: Duration?) {
    guard time != nil || machine.isPausing else { return }
    machine.pause()
    guard let time else { return }
    timers.pause?.cancel()
    timers.pause = context.loop.schedule(after: time) { [self] in
      perform(machine.resume())
      reportNotices()
    }
  }

  func report(_ event: Event) {
    handler(self, event)
  }

  /// Reports the results of a batch of events together.
  private func reportNotices() {
    let unprocessed = calls.takeUnprocessed()
    if !unprocessed.isEmpty { handler(self, .callsUnprocessed(unprocessed)) }
    if hasRoom {
      hasRoom = false
      handler(self, .hasRoom)
    }
  }

  // MARK: The session

  /// Schedules one write at the end of this round of the loop.
  func scheduleFlush() {
    guard !isFlushScheduled, stream != nil else { return }
    isFlushScheduled = true
    context.loop.atEndOfRound { [self] in
      stream?.flush()
      isFlushScheduled = false
      processEvents()
    }
  }

  func processEvents() {
    let now = context.now
    while stream != nil, let event = session.nextEvent() { calls.process(event, now: now) }
    calls.resetAnswered()
    while stream != nil, let event = session.nextEvent() { calls.process(event, now: now) }
    reportNotices()
  }

  func settingsReceived(_ settings: HTTP2Settings, now: ContinuousClock.Instant) {
    perform(
      machine.settingsReceived(
        maxConcurrentStreams: Int(settings.maxConcurrentStreams), now: now))
  }

  func streamClosed(now: ContinuousClock.Instant) {
    perform(machine.callEnded(now: now))
    watchIdleness()
  }

  func goAwayReceived(_ code: HTTP2ErrorCode, _ debugData: String) {
    if code == .enhanceYourCalm, debugData == "too_many_pings" { handler(self, .pingedTooOften) }
    leave()
  }

  func fail(_ error: HTTP2Error) {
    if machine.phase < .ready {
      finish(ConnectionFailure(settling: error, at: context.peer(address)))
    } else {
      finish(calls: CallError(lostBy: error))
    }
  }

  private func perform(_ action: ConnectionStateMachine.Action) {
    switch action {
    case .none:
      break
    case .startHTTP2:
      scheduleFlush()
    case .becomeReady:
      timers.connect?.cancel()
      timers.connect = nil
      context.trace?.report(
        .ready(
          address: address.description, maxConcurrentStreams: session.maxConcurrentStreams))
      context.metrics?(
        .connectionOpened(address: address.description, after: context.now - started))
      watchIdleness()
      handler(self, .ready)
    case .takeCalls:
      hasRoom = true
    case .leave:
      handler(self, .draining)
    case .close:
      close("the connection is no longer needed")
    case .timeOut(let phase):
      finish(
        ConnectionFailure(
          timedOutIn: phase, at: context.peer(address), context.proxy,
          limit: context.connectTimeout, hasReceivedBytes: hasReceivedBytes))
    }
  }

  func watchPeer(_ settings: Keepalive) {
    var keepalive = KeepaliveStateMachine(settings, now: context.now)
    let action = keepalive.timerFired(hasCalls: machine.hasCalls, now: context.now)
    self.keepalive = keepalive
    perform(action)
  }

  private func perform(_ action: KeepaliveStateMachine.Action) {
    switch action {
    case .check(let instant):
      checkPeer(at: instant)
    case .ping(let instant):
      session.ping(0)
      scheduleFlush()
      checkPeer(at: instant)
    case .rest:
      break
    case .lose:
      let timeout = keepalive?.timeout ?? .zero
      let text = "the server did not answer a keepalive ping within \(timeout)"
      finish(calls: .transport(.unavailable, "the connection was lost: \(text)"))
    }
  }

  private func checkPeer(at instant: ContinuousClock.Instant) {
    timers.keepalive = context.loop.schedule(at: instant) { [self] in
      let action = keepalive?.timerFired(hasCalls: machine.hasCalls, now: context.now)
      if let action { perform(action) }
    }
  }

  // MARK: The end

  /// Closes when there has been no call for the configured time. A call does not move the timer, which
  /// checks the end of the last call when it fires.
  private func watchIdleness() {
    guard timers.idle == nil, let timeout = context.idleTimeout,
      let deadline = machine.idleDeadline(timeout)
    else { return }
    timers.idle = context.loop.schedule(at: deadline) { [self] in
      timers.idle = nil
      if let deadline = machine.idleDeadline(timeout), deadline <= context.now {
        close("no call for \(timeout)")
      } else {
        watchIdleness()
      }
    }
  }

  func leave() {
    perform(machine.leave())
  }

  private func close(_ reason: String) {
    handler(self, .draining)
    session.goAway()
    finish(calls: .transport(.unavailable, reason))
  }

  /// Closes at once. Its calls fail, and the peer is notified of each.
  func abort(_ error: CallError) {
    if calls.resetAll() { session.goAway() }
    finish(calls: error)
  }

  private func finish(_ failure: ConnectionFailure) {
    finish(calls: CallError(failure), failure)
  }

  private func finish(calls error: CallError, _ failure: ConnectionFailure? = nil) {
    guard let stream else { return }
    self.stream = nil
    let wasConnected = machine.phase != .connecting
    machine.lost()
    timers.cancel()
    stream.close()
    let error = calls.goAway.map { error.adding(", after the server's \($0)") } ?? error
    calls.connectionLost(error)
    let reason = failure?.detail ?? error.message
    closeReason = reason
    if wasConnected { context.trace?.report(.closed(reason: reason)) }
    if machine.hasBeenReady {
      context.metrics?(
        .connectionClosed(
          address: address.description, reason: reason, after: context.now - started))
    }
    reportNotices()
    calls.connection = nil
    handler(self, .closed(failure))
  }
}

// MARK: The stream below

extension Connection: ByteStreamUser {
  func streamReached(_ stage: StreamStage) {
    switch stage {
    case .connected:
      context.trace?.report(.connected(address: address.description))
      perform(machine.transportConnected(usesProxy: context.proxy != nil, usesTLS: usesTLS))
    case .proxySecured(let session):
      context.trace?.report(.tls(session))
    case .tunneled:
      context.trace?.report(.tunneled(target: context.connectRequest?.target ?? ""))
      perform(machine.tunnelOpened(usesTLS: usesTLS))
    case .secured(let session):
      context.trace?.report(.tls(session))
      perform(machine.tlsEstablished())
    }
    handler(self, .reached(stage))
  }

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    hasReceivedBytes = true
    keepalive?.bytesReceived(now: context.now)
    unsafe session.receive(bytes)
    processEvents()
  }

  func streamPaused() {
    scheduleFlush()
  }

  func streamFill(_ buffer: inout [UInt8]) {
    guard machine.phase >= .settling else { return }
    session.send(into: &buffer)
    // The socket may ask for more by itself, outside a round that would process the events.
    if session.hasEvents { scheduleFlush() }
  }

  func streamEnded(_ end: StreamEnd) {
    processLastError()
    guard stream != nil else { return }
    if machine.phase < .ready {
      finish(
        ConnectionFailure(
          ended: end, in: machine.phase, at: context.peer(address), context.proxy,
          usesTLS: usesTLS, hasReceivedBytes: hasReceivedBytes))
    } else {
      finish(calls: CallError(lostBy: end, at: context.peer(address)))
    }
  }

  /// Lets nghttp2 report a violation in the last bytes, which it does when it writes its GOAWAY. Not
  /// while requests wait to be written, because they can still move to another connection.
  private func processLastError() {
    guard machine.phase >= .settling, session.lastSubmittedStream == session.lastOpenedStream
    else { return }
    var unread: [UInt8] = []
    session.send(into: &unread)
    processEvents()
  }
}
