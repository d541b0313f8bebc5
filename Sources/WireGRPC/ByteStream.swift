import WireIO
import WireTLS

/// What a ``ByteStream`` tells the one who uses it. All calls come on the loop.
protocol ByteStreamUser: AnyObject {
  /// The socket is connected; a TLS handshake may follow.
  func streamConnected()
  /// The TLS handshake is done.
  func streamSecured(_ session: TLSSession)
  /// Bytes from the peer, decrypted; valid during the call only.
  func streamReceived(_ bytes: UnsafeRawBufferPointer)
  /// All that was there for now has been received.
  func streamPaused()
  /// Appends what is to be sent; nothing when there is nothing.
  func streamFill(_ buffer: inout [UInt8])
  /// The last call: no byte comes or goes any more.
  func streamEnded(_ end: ByteStream.End)
}

/// The two byte directions of one connection: a socket on a loop, with TLS over it or not.
///
/// Not Sendable; it lives on its loop, which keeps it and its user until it is closed or ended.
/// (They hold each other strongly until then: weak references would make each of the many retains
/// on the way of a call a slow one.)
final class ByteStream {
  enum End {
    /// The peer finished in good order.
    case closedByPeer
    case failed(IOError)
    case tlsFailed(TLSError)
  }

  private let loop: EventLoop
  private let socket: Socket
  private let tls: TLSEngine?
  private var user: (any ByteStreamUser)?
  private var watch: Watch?
  private var isConnected = false
  private var isSecured: Bool
  private var isOpen = true
  /// Plaintext that TLS has not taken yet.
  private var plaintext = OutgoingBytes()
  /// What the socket has not taken yet.
  private var outgoing = OutgoingBytes()
  private let incoming = ByteBuffer(count: 64 * 1024)
  private let decrypted: ByteBuffer?

  /// Starts to connect.
  init(
    to address: SocketAddress, tls: TLSEngine?, loop: EventLoop, user: any ByteStreamUser
  ) throws(IOError) {
    socket = try Socket(connectingTo: address)
    self.loop = loop
    self.tls = tls
    self.user = user
    isSecured = tls == nil
    decrypted = tls == nil ? nil : ByteBuffer(count: 64 * 1024)
    watch = loop.watch(socket.fileDescriptor, for: .write) { [self] in isReady($0) }
  }

  /// Sends all that the user has and the socket takes; the rest follows by itself.
  func flush() {
    guard isOpen, isConnected else { return }
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

  /// Says goodbye as far as the socket takes it at once, and closes. The user hears nothing more.
  func close() {
    guard isOpen else { return }
    if isConnected {
      flush()
      tls?.close()
      flush()
    }
    shut()
  }

  // MARK: Readiness

  private func isReady(_ readiness: Readiness) {
    guard isOpen else { return }
    guard isConnected else {
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
    isConnected = true
    watch?.update(.read)
    user?.streamConnected()
    if tls != nil { shakeHands() }
    flush()
  }

  /// Reads until there is nothing left, or so much that others on the loop should have a turn.
  private func receiveAll() {
    for _ in 0..<16 {
      switch unsafe socket.read(into: incoming.bytes) {
      case .bytes(let count):
        unsafe receive(UnsafeRawBufferPointer(rebasing: incoming.bytes[..<count]))
        guard isOpen, unsafe count == incoming.bytes.count else {
          if isOpen { user?.streamPaused() }
          return
        }
      case .wouldBlock:
        user?.streamPaused()
        return
      case .endOfStream:
        receiveEnd()
        return
      case .failed(let error):
        user?.streamPaused()
        end(.failed(error))
        return
      }
    }
    user?.streamPaused()
  }

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    guard let tls else {
      unsafe user?.streamReceived(bytes)
      return
    }
    do throws(TLSError) {
      unsafe try tls.receive(bytes)
    } catch {
      endTLS(error)
      return
    }
    if !isSecured { shakeHands() }
    if isSecured { decrypt(tls) }
  }

  private func receiveEnd() {
    guard let tls else {
      user?.streamPaused()
      end(.closedByPeer)
      return
    }
    tls.receiveEOF()
    if !isSecured { shakeHands() }
    if isSecured { decrypt(tls) }
    guard isOpen else { return }
    user?.streamPaused()
    end(.closedByPeer)
  }

  // MARK: TLS

  private func shakeHands() {
    guard let tls, isOpen else { return }
    do throws(TLSError) {
      if case .done(let session) = try tls.handshake() {
        isSecured = true
        user?.streamSecured(session)
      }
    } catch {
      endTLS(error)
      return
    }
    flush()
  }

  private func decrypt(_ tls: TLSEngine) {
    guard let decrypted else { return }
    do throws(TLSError) {
      while isOpen {
        let count = unsafe try tls.read(into: decrypted.bytes)
        guard count > 0 else { break }
        unsafe user?.streamReceived(UnsafeRawBufferPointer(rebasing: decrypted.bytes[..<count]))
      }
      guard isOpen, tls.peerHasClosed else { return }
      user?.streamPaused()
      end(.closedByPeer)
    } catch {
      user?.streamPaused()
      endTLS(error)
    }
  }

  /// Makes `outgoing` out of what the user wants to send.
  private func refill() {
    guard let tls else {
      outgoing.refill { user?.streamFill(&$0) }
      return
    }
    if isSecured {
      if plaintext.isEmpty { plaintext.refill { user?.streamFill(&$0) } }
      do throws(TLSError) {
        let count = unsafe try plaintext.withUnsafeBytes { bytes throws(TLSError) in
          unsafe bytes.isEmpty ? 0 : try tls.write(bytes)
        }
        plaintext.removeFirst(count)
      } catch {
        endTLS(error)
        return
      }
    }
    outgoing.refill { $0.drain(tls) }
  }

  /// Sends the alert that OpenSSL may have for the peer, then ends.
  private func endTLS(_ error: TLSError) {
    guard isOpen else { return }
    if let tls, outgoing.isEmpty {
      outgoing.refill { $0.drain(tls) }
      if !outgoing.isEmpty { _ = unsafe outgoing.withUnsafeBytes { unsafe socket.write($0) } }
    }
    end(.tlsFailed(error))
  }

  // MARK: The end

  private func end(_ end: End) {
    guard isOpen, let user else { return }
    shut()
    user.streamEnded(end)
  }

  private func shut() {
    isOpen = false
    watch?.cancel()
    watch = nil
    user = nil
    socket.close()
  }
}

extension [UInt8] {
  /// Appends all the ciphertext that waits.
  fileprivate mutating func drain(_ tls: TLSEngine) {
    let start = count
    append(contentsOf: repeatElement(0, count: tls.pendingCiphertext))
    let end = unsafe withUnsafeMutableBytes { bytes in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return unsafe free.isEmpty ? start : start + tls.drain(into: free)
    }
    removeLast(count - end)
  }
}
