import WireHTTP2
import WireIO
import WireTLS

/// One client: moves bytes between its socket and its HTTP/2 session, and ends both well. Lives on
/// the server's loop.
///
///     serving --shutDown--> announced --PING answered, or late--> draining
///        |                      |                                    | last stream ended
///        +--session is over-----+------------------------------------+--> lingering --> closed
///
/// The first GOAWAY lets requests on their way come in; after the last the client closes first,
/// else the kernel might drop what it has not read (RFC 9113 §6.8).
final class ServerConnection {
  private enum Phase: Equatable {
    case serving
    case announced
    case draining
    case lingering
    case closed
  }

  private let socket: Socket
  private var tls: SecureLayer?
  private let session: HTTP2ServerSession
  private let service: ReplayService
  private let onReady: () -> Void
  private let onClose: () -> Void
  private var loop: EventLoop?
  private var watch: Watch?
  /// For the next thing that a call is due to say, and when that is.
  private var timer: (timer: LoopTimer, due: ContinuousClock.Instant)?
  private var calls: ServerCalls
  /// Has it go on once others had their turn; nil when it need not wait for that.
  private var rest: LoopTimer?
  private var phase = Phase.serving
  private var hasFailed = false
  /// Whether it counts as one of the handshakes of the service.
  private var isInHandshake = false
  /// When the phase began.
  private var phaseStart: ContinuousClock.Instant
  /// When the client last moved a call on.
  private var lastProgress: ContinuousClock.Instant
  /// When something last came from the client.
  private var lastHeard: ContinuousClock.Instant
  /// When it was asked for a sign of life that has not come yet.
  private var pinged: ContinuousClock.Instant?
  private var output: [UInt8] = []
  private var written = 0

  /// `onReady` is called once the TLS handshake is over and the client has sent SETTINGS, or never will;
  /// `onClose` once, when the socket is closed. Throws for want of memory.
  init(
    _ socket: Socket, _ service: ReplayService, now: ContinuousClock.Instant,
    onReady: @escaping () -> Void, onClose: @escaping () -> Void
  ) throws {
    tls = try service.tls.map(SecureLayer.init)
    session = try HTTP2ServerSession(configuration: ServerCalls.configuration(service.limits))
    calls = ServerCalls(
      session, service, peer: service.isObserved ? "\(socket.remoteAddress)" : "")
    self.socket = socket
    self.service = service
    self.onReady = onReady
    self.onClose = onClose
    phaseStart = now
    lastProgress = now
    lastHeard = now
    guard tls != nil else { return }
    isInHandshake = true
    service.handshakes += 1
  }

  /// Serves. To be called once.
  func start(on loop: EventLoop) {
    self.loop = loop
    watch = loop.watch(socket.fileDescriptor, for: .read) { readiness in
      let now = ContinuousClock.now
      if readiness.contains(.read) { self.read(now) }
      self.flush(now)
    }
    flush(.now)
  }

  /// Says goodbye: no new calls, but those that are here, or on their way, are answered.
  func shutDown(now: ContinuousClock.Instant) {
    guard phase == .serving else { return }
    enter(.announced, now)
    calls.shutDown()
    session.announceShutdown()
    session.ping(0)
    flush(now)
  }

  /// Ends it at once. A second call does nothing.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    watch?.cancel()
    watch = nil
    timer?.timer.cancel()
    rest?.cancel()
    socket.close()
    endHandshake()
    calls.abandon()
    onClose()
  }

  /// Ends what takes too long. To be called several times a second.
  func sweep(now: ContinuousClock.Instant) {
    if isOverdue(now) { return close() }
    calls.advance(now: now)
    let isIdle = !isOwing && now - lastProgress > service.limits.idleTime
    if phase == .serving, isIdle { return shutDown(now: now) }
    if phase == .announced, now - phaseStart > service.limits.roundTripTime { sayLastGoodbye(now) }
    if phase == .serving, isOwing, now - lastHeard > service.limits.silenceTime, pinged == nil {
      pinged = now
      session.ping(1)
    }
    flush(now)
  }

  /// Whether something is still to be done for the client.
  private var isOwing: Bool { session.activeStreams > 0 || !output.isEmpty }

  private func isOverdue(_ now: ContinuousClock.Instant) -> Bool {
    let limits = service.limits
    switch phase {
    case .closed: return false
    case .lingering: return now - phaseStart > limits.lingerTime
    case .serving where session.remoteSettings == nil:
      let time = service.wasCrowded ? limits.crowdedHandshakeTime : limits.handshakeTime
      return now - phaseStart > time
    case .serving where pinged.map { now - $0 > limits.pingTime } == true:
      return true
    default:
      return now - lastProgress > limits.stallTime && (!output.isEmpty || calls.areHeldUp)
    }
  }

  private func endHandshake() {
    guard isInHandshake else { return }
    isInHandshake = false
    service.handshakes -= 1
    onReady()
  }

  /// Goes on with the calls when one of them is due.
  private func setTimer() {
    guard let due = calls.due, phase != .closed else { return }
    if let timer, timer.due <= due { return }
    timer?.timer.cancel()
    let next = loop?.schedule(at: due) {
      self.timer = nil
      self.calls.advance(now: .now)
      self.flush(.now)
    }
    timer = next.map { ($0, due) }
  }

  private func enter(_ next: Phase, _ now: ContinuousClock.Instant) {
    phase = next
    phaseStart = now
  }

  private func sayLastGoodbye(_ now: ContinuousClock.Instant) {
    enter(.draining, now)
    session.goAway()
  }

  // MARK: Bytes

  private func read(_ now: ContinuousClock.Instant) {
    let result = service.buffer.withUnsafeMutableBytes { buffer in
      let result = socket.read(into: buffer)
      if case .bytes(let count) = result, phase != .lingering {
        lastHeard = now
        pinged = nil
        receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return result
    }
    switch result {
    case .bytes:
      takeEvents(now)
      if tls?.isEnded == true { close() }
    case .wouldBlock: break
    case .endOfStream, .failed: close()
    }
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    guard tls != nil else { return session.receive(bytes) }
    do throws(TLSError) {
      try tls?.receive(bytes, &service.plaintext) { session.receive($0) }
    } catch {
      hasFailed = true
    }
  }

  private func takeEvents(_ now: ContinuousClock.Instant) {
    let inflated = service.inflatedBytes
    var hasProgressed = false
    while rest == nil, let event = session.nextEvent() {
      switch event {
      case .pingAcknowledged(0) where phase == .announced: sayLastGoodbye(now)
      case .failed: hasFailed = true
      case .settings: endHandshake()
      case .headers, .data: hasProgressed = true
      default: break
      }
      calls.handle(event, now: now)
      if service.inflatedBytes - inflated > Self.inflatedLimit { takeTurns() }
    }
    if hasProgressed { lastProgress = now }
  }

  /// Reads nothing and goes on with the events that are left after the other connections.
  private func takeTurns() {
    if session.hasEvents { goOnLater() }
  }

  private func goOnLater() {
    guard rest == nil else { return }
    rest = loop?.schedule(at: .now) {
      self.rest = nil
      self.takeEvents(.now)
      self.flush(.now)
    }
  }

  /// So much is decompressed before others have their turn: few bytes may stand for many.
  private static let inflatedLimit = 1 << 20

  /// So often a connection writes before others have their turn: a client may read as fast as it is
  /// written to.
  private static let writesInATurn = 8

  /// Writes what the session has to say, until it has no more, the socket takes no more, or it is the
  /// turn of others.
  private func flush(_ now: ContinuousClock.Instant) {
    guard phase != .closed, phase != .lingering else { return }
    // What waits for the socket is kept; else connections share the room for it.
    if output.isEmpty { swap(&output, &service.output) }
    defer {
      if output.isEmpty { swap(&output, &service.output) }
      setTimer()
    }
    var writes = 0
    repeat {
      guard write(now) else { return }
      writes += 1
      if writes > Self.writesInATurn {
        goOnLater()
        watch?.update([])
        return
      }
      fill()
      takeEvents(now)
    } while !output.isEmpty || calls.letGo(now: now)
    watch?.update(rest == nil ? .read : [])
    if !calls.hangsUp {
      guard hasFailed || !session.wantsRead && !session.wantsWrite else { return }
      tls?.close()
      tls?.drain(into: &output)
      guard write(now) else { return }
    }
    enter(.lingering, now)
    socket.shutdownWrite()
  }

  /// Puts some of what is to be said into the output, which is empty.
  private func fill() {
    guard let tls else {
      calls.takeFrames(into: &output)
      return session.send(into: &output, limit: Self.outputLimit)
    }
    if tls.isOpen {
      calls.takeFrames(into: &service.unencrypted)
      session.send(into: &service.unencrypted, limit: Self.outputLimit)
      do throws(TLSError) {
        try tls.send(service.unencrypted)
      } catch {
        hasFailed = true
      }
      service.unencrypted.removeAll(keepingCapacity: true)
    }
    tls.drain(into: &output)
  }

  private static let outputLimit = 32 << 10

  /// Whether all output is written.
  private func write(_ now: ContinuousClock.Instant) -> Bool {
    while written < output.count {
      let result = output.withUnsafeBytes { bytes in
        socket.write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
      }
      switch result {
      case .bytes(let count):
        written += count
        lastProgress = now
      case .wouldBlock, .endOfStream:
        watch?.update(rest == nil ? [.read, .write] : .write)
        return false
      case .failed:
        close()
        return false
      }
    }
    output.removeAll(keepingCapacity: true)
    written = 0
    return true
  }
}
