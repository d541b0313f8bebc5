package import WireIO
package import WireSystem

/// A socket on a loop.
///
///     connecting --connected--> open --close()--> lingering --peer closes, or time is up--> closed
///         |                      |                                                            ^
///         +----------------------+--- failed, ended by the peer, or close() of a client ------+
package final class SocketStream: LowestStream {
  private enum State {
    case connecting
    case open
    /// The peer has time to read what was sent. Bytes from it are discarded.
    case lingering
    case closed
  }

  package var user: (any ByteStreamUser)?
  package var onClose: (() -> Void)?
  package var isOpen: Bool { state == .open }
  package var hasUnsentBytes: Bool { !outgoing.isEmpty }
  package var isReading = true {
    didSet { if isReading != oldValue { updateWatch() } }
  }

  private var state: State
  private let loop: EventLoop
  private let socket: Socket
  private let buffers: StreamBuffers
  private let readsPerTurn: Int
  /// How long it reads after it has stopped writing, until the peer closes, too; nil for a client.
  ///
  /// The kernel resets a connection that is closed with unread bytes, and the peer may then lose the last bytes that
  /// were sent to it.
  private let lingerTime: Duration?
  private var watch: Watch?
  private var lingerTimer: LoopTimer?
  /// Whether a write failed. No further write is attempted while the last bytes of the peer are read.
  private var writeHasFailed = false
  /// The bytes that the socket has not accepted yet.
  private var outgoing = OutgoingBytes()

  package init(to address: SocketAddress, loop: EventLoop) throws(IOError) {
    socket = try Socket(connectingTo: address)
    self.loop = loop
    state = .connecting
    buffers = StreamBuffers()
    readsPerTurn = 16
    lingerTime = nil
    watch = loop.watch(socket.fileDescriptor, for: .write) { [self] in isReady($0) }
  }

  /// Takes over a connection that a server has accepted. It is open from the start.
  ///
  /// Reads once per turn, so that a server treats its clients equally.
  ///
  /// - Parameter buffers: shared by all streams of the server.
  package init(
    accepted socket: Socket, loop: EventLoop, buffers: StreamBuffers, lingerTime: Duration
  ) {
    self.socket = socket
    self.loop = loop
    state = .open
    self.buffers = buffers
    readsPerTurn = 1
    self.lingerTime = lingerTime
    watch = loop.watch(socket.fileDescriptor, for: .read) { [self] in isReady($0) }
  }

  package func flush() {
    guard isOpen, !writeHasFailed else { return }
    // Only bytes that wait for the socket are kept in this stream's own storage.
    if outgoing.isEmpty { outgoing.swapStorage(&buffers.outgoing) }
    defer { if outgoing.isEmpty { outgoing.swapStorage(&buffers.outgoing) } }
    while isOpen {
      if outgoing.isEmpty { refill() }
      guard isOpen, !outgoing.isEmpty else { break }
      switch unsafe outgoing.withUnsafeBytes({ unsafe socket.write($0) }) {
      case .bytes(let count):
        outgoing.removeFirst(count)
      case .wouldBlock, .endOfStream:
        updateWatch()
        return
      case .failed(let error):
        writeHasFailed = true
        // The last bytes of the peer may still be there, with the reason for its end.
        receiveAll()
        end(.failed(error))
        return
      }
    }
    updateWatch()
  }

  /// Moves the storage out while the layers above fill it, because they may close this layer.
  private func refill() {
    var bytes = OutgoingBytes()
    swap(&bytes, &outgoing)
    bytes.refill { user?.streamFill(&$0) }
    swap(&bytes, &outgoing)
  }

  package func close() {
    flush()
    switch state {
    case .open:
      guard let lingerTime else { return abort() }
      linger(for: lingerTime)
    case .connecting:
      abort()
    case .lingering, .closed:
      break
    }
  }

  private func linger(for time: Duration) {
    state = .lingering
    user = nil
    socket.shutdownWrite()
    watch?.update(.read)
    lingerTimer = loop.schedule(after: time) { [self] in abort() }
  }

  // MARK: Readiness

  private func updateWatch() {
    guard isOpen else { return }
    var interest: Readiness = isReading ? .read : []
    if hasUnsentBytes { interest.insert(.write) }
    watch?.update(interest)
  }

  private func isReady(_ readiness: Readiness) {
    switch state {
    case .connecting:
      finishConnecting()
    case .open:
      if readiness.contains(.read) { receiveAll() }
      if readiness.contains(.write) { flush() }
    case .lingering:
      discard()
    case .closed:
      break
    }
  }

  private func finishConnecting() {
    do throws(IOError) {
      guard try socket.finishConnecting() else { return }
    } catch {
      end(.failed(error))
      return
    }
    state = .open
    updateWatch()
    user?.streamReached(.connected)
    flush()
  }

  /// Reads until there is nothing left, or until other users of the loop should have a turn.
  private func receiveAll() {
    let buffer = unsafe buffers.received.bytes
    for _ in 0..<readsPerTurn {
      switch unsafe socket.read(into: buffer) {
      case .bytes(let count):
        unsafe user?.streamReceived(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        guard isOpen, isReading, count == buffer.count else {
          user?.streamPaused()
          return
        }
      case .wouldBlock:
        user?.streamPaused()
        return
      case .endOfStream:
        user?.streamPaused()
        end(.closedByPeer)
        return
      case .failed(let error):
        user?.streamPaused()
        end(.failed(error))
        return
      }
    }
    user?.streamPaused()
  }

  private func discard() {
    switch unsafe socket.read(into: buffers.received.bytes) {
    case .bytes, .wouldBlock: break
    case .endOfStream, .failed: abort()
    }
  }

  // MARK: The end

  private func end(_ end: StreamEnd) {
    guard let user else { return }
    abort()
    user.streamEnded(end)
  }

  /// Closes the socket at once, also while it lingers. No event follows.
  package func abort() {
    guard state != .closed else { return }
    state = .closed
    watch?.cancel()
    watch = nil
    lingerTimer?.cancel()
    user = nil
    socket.close()
    onClose.take()?()
  }
}
