import WireHTTP2
import WireIO
import WireTLS
import WireTransport

/// One client: moves bytes between its stream and its HTTP/2 session, and has its calls answered.
/// Lives on the server's loop.
///
///     LowestStream ─ TLSStream (if the server has a certificate) ─ ServerConnection ─ ServerCalls
///
/// It works in turns. A turn begins when bytes arrive, a timer fires or the server asks for
/// something, and ends in ``flush()``.
final class ServerConnection {
  /// The part of a turn that runs at present.
  private enum Activity {
    case idle
    /// ``flush()`` follows.
    case receiving
    case sending
  }

  private let lowest: any LowestStream
  private let stream: any ByteStream
  private let session: HTTP2ServerSession
  private let context: ServerContext
  private let loop: EventLoop
  private let onReady: () -> Void
  private var calls: ServerCalls
  private var lifecycle: ConnectionLifecycle
  private var hasFailed = false
  /// Whether the connection counts as one of ``ServerContext/handshakes``.
  private var isInHandshake: Bool
  /// For the next action of a call, and when that is due.
  private var callTimer: (timer: LoopTimer, due: ContinuousClock.Instant)?
  /// Continues the connection after others had their turn; nil if it need not wait.
  private var continuation: LoopTimer?

  // MARK: The turn

  private var activity = Activity.idle
  /// The time of the turn.
  private var now: ContinuousClock.Instant
  /// How often the turn has given bytes to the stream.
  private var fillCount = 0
  /// Whether everything that the session and the calls had to send was taken.
  private var isDrained = false

  /// Throws if there is no memory for a session.
  ///
  /// - Parameters:
  ///   - lowest: open.
  ///   - peer: the address of the client, for observers.
  ///   - onReady: called once the TLS handshake is over and the client has sent SETTINGS, or when the
  ///     connection ends before.
  init(
    _ lowest: any LowestStream, peer: String, _ context: ServerContext, _ loop: EventLoop,
    onReady: @escaping () -> Void
  ) throws {
    self.lowest = lowest
    let engine = try context.tls.map { try TLSEngine(context: $0, role: .server) }
    session = try HTTP2ServerSession(configuration: ServerCalls.configuration(context.limits))
    calls = ServerCalls(session, context, peer: peer)
    self.context = context
    self.loop = loop
    self.onReady = onReady
    now = loop.now
    lifecycle = ConnectionLifecycle(now: now)
    isInHandshake = engine != nil
    if let engine {
      stream = TLSStream(over: lowest, engine, buffers: context.buffers)
      context.handshakes += 1
    } else {
      stream = lowest
    }
    stream.user = self
  }

  /// Starts to serve. Call it once.
  func start() {
    flush()
  }

  // MARK: The end

  /// Accepts no new calls and closes after the open calls and those on their way have ended.
  func shutDown(now: ContinuousClock.Instant) {
    guard lifecycle.phase == .serving else { return }
    self.now = now
    lifecycle.enter(.goAwayAnnounced, now: now)
    calls.shutDown()
    session.announceShutdown()
    session.ping(ConnectionPing.afterGoAway)
    flush()
  }

  private func sendLastGoAway() {
    lifecycle.enter(.draining, now: now)
    session.goAway()
  }

  /// Closes the connection at once.
  func abort() {
    close()
    lowest.abort()
  }

  /// Ends everything that takes too long. Call it several times a second.
  func sweep(now: ContinuousClock.Instant) {
    guard lifecycle.phase != .closed else { return }
    self.now = now
    let limits = context.limits
    let isOverdue = lifecycle.isOverdue(
      hasSettings: session.remoteSettings != nil,
      isHeldUp: lowest.hasUnsentBytes || calls.areHeldUp, limits, isCrowded: context.wasCrowded,
      now: now)
    if isOverdue { return abort() }
    calls.advance(now: now)
    let isBusy = session.activeStreams > 0 || lowest.hasUnsentBytes
    if lifecycle.isIdle(isBusy: isBusy, limits, now: now) { return shutDown(now: now) }
    if lifecycle.isLateToAcknowledge(limits, now: now) { sendLastGoAway() }
    if lifecycle.shouldPing(isBusy: isBusy, limits, now: now) {
      session.ping(ConnectionPing.keepalive)
    }
    flush()
  }

  /// Everything is sent: closes the stream in good order.
  private func finish() {
    close()
    // A script that closes the connection does so without a close_notify.
    if calls.closesConnection { lowest.close() } else { stream.close() }
  }

  /// Ends all but the socket, which may linger.
  private func close() {
    guard lifecycle.phase != .closed else { return }
    lifecycle.enter(.closed, now: now)
    callTimer?.timer.cancel()
    continuation?.cancel()
    stream.user = nil
    endHandshake()
    calls.abandon()
  }

  private func endHandshake() {
    guard isInHandshake else { return }
    isInHandshake = false
    context.handshakes -= 1
    onReady()
  }

  // MARK: Turns

  /// The number of bytes that are decompressed in a turn. Few bytes may expand to many.
  private static let decompressionLimit = 1 << 20

  /// Handles the events of the session.
  private func takeEvents() {
    let decompressed = context.decompressedBytes
    var hasProgressed = false
    while continuation == nil, let event = session.nextEvent() {
      switch event {
      case .pingAcknowledged(ConnectionPing.afterGoAway)
      where lifecycle.phase == .goAwayAnnounced:
        sendLastGoAway()
      case .failed: hasFailed = true
      case .settings: endHandshake()
      case .headers, .data: hasProgressed = true
      default: break
      }
      calls.handle(event, now: now)
      if context.decompressedBytes - decompressed > Self.decompressionLimit, session.hasEvents {
        continueLater()
      }
    }
    if hasProgressed { lifecycle.progressed(now: now) }
  }

  /// Ends the turn: sends until nothing is left, the socket is full, or other connections should have
  /// their turn.
  private func flush() {
    activity = .sending
    fillCount = 0
    isDrained = false
    stream.flush()
    activity = .idle
    guard lifecycle.phase != .closed else { return }
    let isOver =
      hasFailed || calls.closesConnection || !session.wantsRead && !session.wantsWrite
    if isOver, isDrained, !lowest.hasUnsentBytes { return finish() }
    setCallTimer()
    // Nothing is read while events wait.
    lowest.isReading = continuation == nil
  }

  /// Continues after the other connections had their turn.
  private func continueLater() {
    guard continuation == nil else { return }
    continuation = loop.schedule(after: .zero) { [self] in
      continuation = nil
      now = loop.now
      takeEvents()
      flush()
    }
  }

  /// Sets the timer for the next call that is due.
  private func setCallTimer() {
    guard let due = calls.due else { return }
    if let callTimer, callTimer.due <= due { return }
    callTimer?.timer.cancel()
    let timer = loop.schedule(at: due) { [self] in
      callTimer = nil
      now = loop.now
      calls.advance(now: now)
      flush()
    }
    callTimer = (timer, due)
  }
}

// MARK: The stream below

extension ServerConnection: ByteStreamUser {
  /// The approximate number of bytes that the stream gets each time.
  private static let fillSize = 32 << 10

  /// The number of times that a turn gives bytes to the stream, before other connections have their
  /// turn: a client may read as fast as the server writes.
  private static let fillsPerTurn = 8

  func streamReached(_ stage: StreamStage) {
    if activity == .idle { beginTurn() }
  }

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    if activity == .idle { beginTurn() }
    lifecycle.received(now: now)
    session.receive(bytes)
  }

  func streamPaused() {
    if activity == .idle { beginTurn() }
    guard activity == .receiving else { return }
    takeEvents()
    flush()
  }

  private func beginTurn() {
    activity = .receiving
    now = loop.now
  }

  /// Called when the stream has sent all earlier bytes.
  func streamFill(_ buffer: inout [UInt8]) {
    guard lifecycle.phase != .closed else { return }
    switch activity {
    case .receiving:
      return
    case .idle:
      // The socket accepts bytes again.
      lifecycle.progressed(now: loop.now)
      return continueLater()
    case .sending:
      break
    }
    if fillCount > 0 { lifecycle.progressed(now: now) }
    guard fillCount < Self.fillsPerTurn else { return continueLater() }
    fillCount += 1
    repeat {
      calls.takeFrames(into: &buffer)
      session.send(into: &buffer, limit: Self.fillSize)
      takeEvents()
    } while buffer.isEmpty && calls.performControlActions(now: now)
    isDrained = buffer.isEmpty
  }

  func streamEnded(_ end: StreamEnd) {
    close()
  }
}

/// The numbers of the PINGs that a connection sends.
private enum ConnectionPing {
  static let afterGoAway: UInt64 = 0
  static let keepalive: UInt64 = 1
}
