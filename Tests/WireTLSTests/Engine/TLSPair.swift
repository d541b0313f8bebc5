import WireTLS

/// A certificate, or a chain that starts with the certificate, and its private key.
struct PEMIdentity: Sendable {
  let certificate: String
  let key: String

  /// Returns the certificate followed by its issuer.
  func followed(by issuer: PEMIdentity) -> PEMIdentity {
    PEMIdentity(certificate: certificate + "\n" + issuer.certificate, key: key)
  }

  func server(applicationProtocols: [String] = ["h2"]) throws -> TLSContext {
    try TLSContext(
      serverCertificate: Array(certificate.utf8), privateKey: Array(key.utf8),
      applicationProtocols: applicationProtocols)
  }

  /// Returns a client context that trusts this certificate.
  func client(
    verification: TLSConfiguration.Verification = .full, applicationProtocols: [String] = ["h2"]
  ) throws -> TLSContext {
    try TLSContext(
      client: TLSConfiguration(
        trust: .pem(Array(certificate.utf8)), verification: verification,
        applicationProtocols: applicationProtocols))
  }
}

extension TLSEngine {
  func receive(_ bytes: [UInt8]) throws(TLSError) {
    var failure: TLSError?
    bytes.withUnsafeBytes { bytes in
      do throws(TLSError) { try receive(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Returns all pending ciphertext, drained `capacity` bytes at a time.
  func drain(capacity: Int = 4096) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: capacity)
    while true {
      let count = buffer.withUnsafeMutableBytes { drain(into: $0) }
      if count == 0 { return all }
      all += buffer.prefix(count)
    }
  }

  /// Returns all available plaintext.
  func read(capacity: Int = 4096) throws(TLSError) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: capacity)
    while true {
      var failure: TLSError?
      let count = buffer.withUnsafeMutableBytes { buffer in
        do throws(TLSError) { return try read(into: buffer) } catch { failure = error }
        return 0
      }
      if let failure { throw failure }
      if count == 0 { return all }
      all += buffer.prefix(count)
    }
  }

  func write(_ bytes: [UInt8]) throws(TLSError) -> Int {
    var failure: TLSError?
    let count = bytes.withUnsafeBytes { bytes in
      do throws(TLSError) { return try write(bytes) } catch { failure = error }
      return 0
    }
    if let failure { throw failure }
    return count
  }
}

/// A client and a server with a pipe between them that splits bytes as a test needs.
final class TLSPair {
  let client: TLSEngine
  let server: TLSEngine
  private(set) var clientSession: TLSSession?
  private(set) var serverSession: TLSSession?
  private(set) var clientError: TLSError?
  private(set) var serverError: TLSError?
  private let cut: ([UInt8]) -> [ArraySlice<UInt8>]

  init(
    client: TLSContext, server: TLSContext, serverName: String = "localhost",
    cut: @escaping ([UInt8]) -> [ArraySlice<UInt8>] = { [$0[...]] }
  ) throws {
    self.client = try TLSEngine(context: client, role: .client(serverName: serverName))
    self.server = try TLSEngine(context: server, role: .server)
    self.cut = cut
  }

  /// Transfers bytes in both directions until there are no more, and continues both handshakes.
  func handshake() {
    (clientSession, clientError) = Self.step(client)
    while true {
      let up = client.drain()
      for piece in cut(up) where serverError == nil {
        (serverSession, serverError) = Self.step(server, Array(piece))
      }
      let down = server.drain()
      for piece in cut(down) where clientError == nil {
        (clientSession, clientError) = Self.step(client, Array(piece))
      }
      if up.isEmpty && down.isEmpty { return }
    }
  }

  private static func step(
    _ engine: TLSEngine, _ bytes: [UInt8] = []
  ) -> (TLSSession?, TLSError?) {
    do throws(TLSError) {
      try engine.receive(bytes)
      guard case .done(let session) = try engine.handshake() else { return (nil, nil) }
      // Like a driver: the other side may have ended the connection after this side was done.
      _ = try engine.read()
      return (session, nil)
    } catch {
      return (nil, error)
    }
  }

  /// Transfers the client's pending bytes and returns the plaintext that the server reads.
  func transferToServer() throws -> [UInt8] {
    for piece in cut(client.drain()) { try server.receive(Array(piece)) }
    return try server.read()
  }

  /// Transfers the server's pending bytes and returns the plaintext that the client reads.
  func transferToClient() throws -> [UInt8] {
    for piece in cut(server.drain()) { try client.receive(Array(piece)) }
    return try client.read()
  }
}
