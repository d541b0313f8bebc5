import WireTLS

/// The TLS of one connection, between its socket and its session.
struct SecureLayer {
  private let engine: TLSEngine
  /// Whether the handshake is done.
  private(set) var isOpen = false
  private var isClosed = false

  init(_ context: TLSContext) throws(TLSError) {
    engine = try TLSEngine(context: context, role: .server)
  }

  /// Whether the client has said that nothing more comes.
  var isEnded: Bool { engine.peerHasClosed }

  /// Takes what came from the socket and gives the plaintext in it to `body`, by way of `buffer`.
  ///
  /// Throws when the connection is lost; what is to be sent then tells the client why.
  mutating func receive(
    _ ciphertext: UnsafeRawBufferPointer, _ buffer: inout [UInt8],
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSError) {
    try engine.receive(ciphertext)
    if !isOpen, case .done = try engine.handshake() { isOpen = true }
    while isOpen {
      let result = buffer.withUnsafeMutableBytes { buffer -> Result<Bool, TLSError> in
        do throws(TLSError) {
          let count = try engine.read(into: buffer)
          if count > 0 { body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
          return .success(count > 0)
        } catch {
          return .failure(error)
        }
      }
      guard try result.get() else { return }
    }
  }

  /// Encrypts all of `plaintext`.
  func send(_ plaintext: [UInt8]) throws(TLSError) {
    let result = plaintext.withUnsafeBytes { bytes -> Result<Int, TLSError> in
      do throws(TLSError) { return .success(try engine.write(bytes)) } catch {
        return .failure(error)
      }
    }
    // More than the engine takes at a time is not given to it.
    if try result.get() < plaintext.count {
      throw TLSError(.local("there is too much to encrypt at a time"))
    }
  }

  /// Appends what is to go to the socket.
  func drain(into output: inout [UInt8]) { engine.drain(to: &output) }

  /// Says that nothing more comes, once.
  mutating func close() {
    guard !isClosed else { return }
    isClosed = true
    engine.close()
  }
}
