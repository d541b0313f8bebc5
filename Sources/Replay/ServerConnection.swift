import WireHTTP2
import WireIO

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
  private let session: HTTP2ServerSession
  private let service: ReplayService
  private let onClose: () -> Void
  private var watch: Watch?
  private var calls: ServerCalls
  private var phase = Phase.serving
  private var hasFailed = false
  /// When the phase began.
  private var phaseStart: ContinuousClock.Instant
  /// When the client last moved a call on.
  private var lastProgress: ContinuousClock.Instant
  private var output: [UInt8] = []
  private var written = 0

  /// `onClose` is called once, when the socket is closed. Throws for want of memory.
  init(
    _ socket: Socket, _ service: ReplayService, now: ContinuousClock.Instant,
    onClose: @escaping () -> Void
  ) throws(HTTP2Error) {
    var configuration = HTTP2Configuration()
    configuration.maxConcurrentStreams = service.limits.streams
    session = try HTTP2ServerSession(configuration: configuration)
    calls = ServerCalls(session, service)
    self.socket = socket
    self.service = service
    self.onClose = onClose
    phaseStart = now
    lastProgress = now
  }

  /// Serves. To be called once.
  func start(on loop: EventLoop) {
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
    socket.close()
    calls.abandon()
    onClose()
  }

  /// Ends what takes too long. To be called several times a second.
  func sweep(now: ContinuousClock.Instant) {
    if isOverdue(now) { return close() }
    calls.expire(now: now)
    let isIdle = !isOwing && now - lastProgress > service.limits.idleTime
    if phase == .serving, isIdle { return shutDown(now: now) }
    if phase == .announced, now - phaseStart > service.limits.roundTripTime { sayLastGoodbye(now) }
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
      return now - phaseStart > limits.handshakeTime
    default: return isOwing && now - lastProgress > limits.stallTime
    }
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
        session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return result
    }
    switch result {
    case .bytes: takeEvents(now)
    case .wouldBlock: break
    case .endOfStream, .failed: close()
    }
  }

  private func takeEvents(_ now: ContinuousClock.Instant) {
    while let event = session.nextEvent() {
      switch event {
      case .pingAcknowledged where phase == .announced: sayLastGoodbye(now)
      case .failed: hasFailed = true
      case .headers, .data: lastProgress = now
      default: break
      }
      calls.handle(event, now: now)
    }
  }

  /// Writes what the session has to say, until it has no more or the socket takes no more.
  private func flush(_ now: ContinuousClock.Instant) {
    guard phase != .closed, phase != .lingering else { return }
    repeat {
      guard write(now) else { return }
      session.send(into: &output, limit: 32 << 10)
      takeEvents(now)
    } while !output.isEmpty || calls.letGo()
    watch?.update(.read)
    if hasFailed || !session.wantsRead && !session.wantsWrite {
      enter(.lingering, now)
      socket.shutdownWrite()
    }
  }

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
        watch?.update([.read, .write])
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
