package import WireTLS

/// TLS over another ``ByteStream``. It starts the handshake when that stream is open.
package final class TLSStream: ByteStream, ByteStreamUser {
  package var user: (any ByteStreamUser)?
  package private(set) var isOpen = false
  private let lower: any ByteStream
  private let engine: TLSEngine
  /// The plaintext that the engine has not accepted yet.
  private var plaintext = OutgoingBytes()
  private let buffers: StreamBuffers

  /// - Parameter buffers: shared by all streams of a server.
  package init(
    over lower: any ByteStream, _ engine: TLSEngine, buffers: StreamBuffers = StreamBuffers()
  ) {
    self.lower = lower
    self.engine = engine
    self.buffers = buffers
    lower.user = self
  }

  package func flush() {
    lower.flush()
  }

  package func close() {
    if isOpen {
      lower.flush()
      engine.close()
    }
    shut()
  }

  // MARK: ByteStreamUser

  package func streamReached(_ stage: StreamStage) {
    user?.streamReached(stage)
    if lower.isOpen, !isOpen { shakeHands() }
  }

  package func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    guard user != nil else { return }
    do throws(TLSError) {
      unsafe try engine.receive(bytes)
    } catch {
      end(.tlsFailed(error))
      return
    }
    if !isOpen { shakeHands() }
    if isOpen { decrypt() }
  }

  package func streamPaused() {
    user?.streamPaused()
  }

  /// Appends ciphertext; if the engine has failed, its alert for the peer.
  package func streamFill(_ buffer: inout [UInt8]) {
    if isOpen { encrypt() }
    engine.drain(to: &buffer)
  }

  package func streamEnded(_ end: StreamEnd) {
    guard case .closedByPeer = end, user != nil else {
      // A reset means the same, if the server has not read the bytes that were sent meanwhile.
      if case .failed = end, let refusal = engine.silentRefusal {
        self.end(.tlsFailed(TLSError(refusal)))
      } else {
        self.end(end)
      }
      return
    }
    engine.receiveEOF()
    if !isOpen { shakeHands() }
    if isOpen { decrypt() }
    user?.streamPaused()
    self.end(.closedByPeer)
  }

  // MARK: The engine

  private func shakeHands() {
    guard user != nil else { return }
    do throws(TLSError) {
      if case .done(let session) = try engine.handshake() {
        isOpen = true
        user?.streamReached(.secured(session))
      }
    } catch {
      end(.tlsFailed(error))
      return
    }
    lower.flush()
  }

  private func decrypt() {
    let buffer = unsafe buffers.decrypted.bytes
    do throws(TLSError) {
      while isOpen {
        let count = unsafe try engine.read(into: buffer)
        guard count > 0 else { break }
        unsafe user?.streamReceived(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      guard isOpen, engine.peerHasClosed else { return }
      user?.streamPaused()
      end(engine.silentRefusal.map { .tlsFailed(TLSError($0)) } ?? .closedByPeer)
    } catch {
      user?.streamPaused()
      end(.tlsFailed(error))
    }
  }

  private func encrypt() {
    if plaintext.isEmpty {
      plaintext.swapStorage(&buffers.plaintext)
      plaintext.refill { user?.streamFill(&$0) }
    }
    defer { plaintext.swapStorage(&buffers.plaintext) }
    do throws(TLSError) {
      let count = unsafe try plaintext.withUnsafeBytes { bytes throws(TLSError) in
        unsafe bytes.isEmpty ? 0 : try engine.write(bytes)
      }
      plaintext.removeFirst(count)
    } catch {
      end(.tlsFailed(error))
    }
  }

  // MARK: The end

  private func end(_ end: StreamEnd) {
    guard let user else { return }
    shut()
    user.streamEnded(end)
  }

  private func shut() {
    isOpen = false
    user = nil
    lower.close()
  }
}
