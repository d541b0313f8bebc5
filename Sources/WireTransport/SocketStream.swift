package import WireIO
package import WireSystem

/// The lowest ``ByteStream``: a socket on a loop.
package final class SocketStream: ByteStream {
  package var user: (any ByteStreamUser)?
  package private(set) var isOpen = false
  private let loop: EventLoop
  private let socket: Socket
  private var watch: Watch?
  private var isOver = false
  /// What the socket has not taken yet.
  private var outgoing = OutgoingBytes()
  private let incoming = ByteBuffer(count: 64 * 1024)

  /// Starts to connect.
  package init(to address: SocketAddress, loop: EventLoop) throws(IOError) {
    socket = try Socket(connectingTo: address)
    self.loop = loop
    watch = loop.watch(socket.fileDescriptor, for: .write) { [self] in isReady($0) }
  }

  package func flush() {
    guard isOpen else { return }
    while isOpen {
      if outgoing.isEmpty { refill() }
      guard isOpen, !outgoing.isEmpty else { break }
      switch unsafe outgoing.withUnsafeBytes({ unsafe socket.write($0) }) {
      case .bytes(let count):
        outgoing.removeFirst(count)
      case .wouldBlock:
        watch?.update([.read, .write])
        return
      case .endOfStream:
        return
      case .failed(let error):
        // What the peer said before it went may be there still, and say why.
        receiveAll()
        end(.failed(error))
        return
      }
    }
    watch?.update(.read)
  }

  /// The bytes are taken out while the layers above fill them: those may close this one.
  private func refill() {
    var bytes = OutgoingBytes()
    swap(&bytes, &outgoing)
    bytes.refill { user?.streamFill(&$0) }
    swap(&bytes, &outgoing)
  }

  package func close() {
    flush()
    shut()
  }

  // MARK: Readiness

  private func isReady(_ readiness: Readiness) {
    guard !isOver else { return }
    guard isOpen else {
      finishConnecting()
      return
    }
    if readiness.contains(.read) { receiveAll() }
    if readiness.contains(.write) { flush() }
  }

  private func finishConnecting() {
    do throws(IOError) {
      guard try socket.finishConnecting() else { return }
    } catch {
      end(.failed(error))
      return
    }
    isOpen = true
    watch?.update(.read)
    user?.streamReached(.connected)
    flush()
  }

  /// Reads until there is nothing left, or so much that others on the loop should have a turn.
  private func receiveAll() {
    for _ in 0..<16 {
      switch unsafe socket.read(into: incoming.bytes) {
      case .bytes(let count):
        unsafe user?.streamReceived(UnsafeRawBufferPointer(rebasing: incoming.bytes[..<count]))
        guard isOpen, unsafe count == incoming.bytes.count else {
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

  // MARK: The end

  private func end(_ end: StreamEnd) {
    guard let user else { return }
    shut()
    user.streamEnded(end)
  }

  private func shut() {
    isOpen = false
    isOver = true
    watch?.cancel()
    watch = nil
    user = nil
    socket.close()
  }
}
