import COpenSSL
import CWireShims
package import WireSystem

/// The state that the engines of one client or server share: trust, protocols, certificate, and a client's
/// sessions, which shorten later handshakes.
///
/// Creating one takes about a millisecond, because OpenSSL initializes itself: create one per channel.
//
// Sendable, because the SSL_CTX is changed in the initializers only, before it is shared. Later only SSL_new
// uses it, which OpenSSL allows from several threads; OpenSSL guards its own changes (reference counts, and
// the certificate store that a directory lookup fills) with locks. The other properties are constants.
@safe package final class TLSContext: @unchecked Sendable {
  let pointer: OpaquePointer
  let verification: TLSConfiguration.Verification
  let applicationProtocols: [String]
  /// The protocols of a server in the format of RFC 7301, for the ALPN callback; empty for a client.
  private let alpnChoices: UnsafeMutableBufferPointer<UInt8>
  /// The roots from which the verify callback chooses.
  private let lookup: RootLookup?
  /// Nil if nothing is verified.
  private let roots: Roots?
  let sessions = SessionCache()
  let keyLog: KeyLog?
  /// Whether a client has a certificate to send.
  let hasIdentity: Bool
  private let keepsPeerChain: Bool
  private let keptChain = Locked<[Certificate]>([])

  /// Creates the context of a client. Throws `local` if root certificates, revocation lists, the client's
  /// certificate or its key cannot be used.
  ///
  /// - Parameters:
  ///   - deadline: the deadline for the writer of a file that is a pipe; nil means 15 s.
  ///   - other: a context that trusts the same roots, which are then not read again.
  ///   - keyLogFailed: called for each line that cannot be written to the key log.
  package convenience init(
    client configuration: TLSConfiguration, until deadline: ContinuousClock.Instant? = nil,
    rootsOf other: TLSContext? = nil, keyLogFailed: (@Sendable (IOError.Code) -> Void)? = nil
  ) throws(TLSError) {
    try self.init(
      client: configuration, system: .current, until: deadline, knownRoots: other?.roots,
      keyLogFailed: keyLogFailed)
  }

  init(
    client configuration: TLSConfiguration, system: SystemRoots,
    until deadline: ContinuousClock.Instant? = nil, knownRoots: Roots? = nil,
    keyLogFailed: (@Sendable (IOError.Code) -> Void)? = nil
  ) throws(TLSError) {
    let deadline = deadline ?? .now + LocalFile.defaultTimeout
    let offer = try Self.wireFormat(configuration.applicationProtocols)
    let pointer = try unsafe Self.make(TLS_client_method())
    unsafe self.pointer = unsafe pointer
    verification = configuration.verification
    applicationProtocols = configuration.applicationProtocols
    unsafe alpnChoices = UnsafeMutableBufferPointer(start: nil, count: 0)
    hasIdentity = configuration.identity != nil
    keepsPeerChain = configuration.keepsPeerChain
    unsafe SSL_CTX_set_verify(
      pointer, configuration.verification == .none ? SSL_VERIFY_NONE : SSL_VERIFY_PEER
    ) {
      unsafe PeerVerification.isAccepted($0, $1)
    }
    do throws(TLSError) {
      if configuration.verification == .none || knownRoots != nil {
        roots = knownRoots
      } else {
        roots = try Roots(configuration.trust, system, until: deadline)
      }
      lookup = try unsafe roots?.load(into: pointer)
      keyLog = try configuration.keyLogFile.map { (path) throws(TLSError) in
        try KeyLog(appendingTo: path, failed: keyLogFailed)
      }
    } catch {
      unsafe SSL_CTX_free(pointer)
      throw error
    }
    // From here on `deinit` frees it.
    try unsafe Self.load(configuration, into: pointer, until: deadline)
    if let lookup {
      unsafe SSL_CTX_set_cert_verify_callback(
        pointer, { unsafe verifyWithLookup($0, $1) }, Unmanaged.passUnretained(lookup).toOpaque())
    }
    unsafe SSL_CTX_set_cert_cb(pointer, { ssl, _ in unsafe certificateWasRequested(ssl) }, nil)
    unsafe CWireShims_SSL_CTX_keep_sessions_of_clients(pointer)
    unsafe SSL_CTX_sess_set_new_cb(pointer) { unsafe keepSession($0, $1) }
    if keyLog != nil { unsafe SSL_CTX_set_keylog_callback(pointer) { unsafe logKeys($0, $1) } }
    guard !offer.isEmpty else { return }
    guard unsafe SSL_CTX_set_alpn_protos(pointer, offer, UInt32(offer.count)) == 0
    else { throw TLSError(.local("cannot offer ALPN: \(OpenSSLErrors.drain().text)")) }
  }

  /// Creates the context of a server from its certificate with the chain, and its private key, in PEM. Clients
  /// that offer ALPN without any of `applicationProtocols` are rejected; with `[]` ALPN is ignored.
  package init(
    serverCertificate: [UInt8], privateKey: [UInt8], applicationProtocols: [String] = ["h2"]
  ) throws(TLSError) {
    let choices = try Self.wireFormat(applicationProtocols)
    unsafe pointer = try unsafe Self.make(TLS_server_method())
    verification = .none
    roots = nil
    lookup = nil
    keyLog = nil
    hasIdentity = true
    keepsPeerChain = false
    self.applicationProtocols = applicationProtocols
    unsafe alpnChoices = .allocate(capacity: choices.count)
    _ = unsafe alpnChoices.initialize(fromContentsOf: choices)
    try unsafe Identity(
      TLSConfiguration.Identity(
        certificate: .pem(serverCertificate), privateKey: .pem(privateKey)), until: nil
    ).load(into: pointer)
    guard !choices.isEmpty else { return }
    unsafe SSL_CTX_set_alpn_select_cb(
      pointer, { unsafe selectProtocol($1, $2, $3, $4, $5) },
      Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    unsafe SSL_CTX_free(pointer)
    unsafe alpnChoices.deallocate()
  }

  /// The certificates that the last server sent, its own first, even if they were rejected. Empty unless
  /// ``TLSConfiguration/keepsPeerChain`` is set.
  package var peerChain: [Certificate] { keptChain.withLock { $0 } }

  /// Called at the end of a handshake.
  func keepPeerChain(of ssl: OpaquePointer) {
    guard keepsPeerChain, let chain = unsafe SSL_get_peer_cert_chain(ssl) else { return }
    let certificates = unsafe (0..<max(OPENSSL_sk_num(chain), 0)).compactMap { index in
      unsafe OPENSSL_sk_value(chain, index).map { unsafe Certificate(OpaquePointer($0)) }
    }
    keptChain.withLock { $0 = certificates }
  }

  /// The configuration of a client besides the roots.
  private static func load(
    _ configuration: TLSConfiguration, into context: OpaquePointer,
    until deadline: ContinuousClock.Instant
  ) throws(TLSError) {
    if let lists = configuration.revocationLists, configuration.verification == .full {
      try unsafe RevocationLists.load(
        PEMText(lists, .revocationLists, until: deadline), into: context)
    }
    if let identity = configuration.identity {
      try unsafe Identity(identity, until: deadline).load(into: context)
    }
  }

  /// The cipher suites of TLS 1.2: forward secrecy and AEAD, all of RFC 9113 appendix A except finite-field
  /// Diffie-Hellman. OpenSSL chooses those of TLS 1.3, which are all allowed.
  private static let cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"

  private static func make(_ method: OpaquePointer?) throws(TLSError) -> OpaquePointer {
    OpenSSLErrors.clear()
    guard let pointer = unsafe SSL_CTX_new(method) else {
      throw TLSError(.local("cannot set up TLS: \(OpenSSLErrors.drain().text)"))
    }
    _ = unsafe CWireShims_SSL_CTX_set_min_proto_version(pointer, TLS1_2_VERSION)
    guard unsafe SSL_CTX_set_cipher_list(pointer, cipherSuites) == 1 else {
      unsafe SSL_CTX_free(pointer)
      throw TLSError(.local("cannot set up TLS: \(OpenSSLErrors.drain().text)"))
    }
    unsafe SSL_CTX_set_info_callback(pointer) { unsafe countMessage($0, $1, $2) }
    unsafe CWireShims_SSL_CTX_set_http2_options(pointer)
    // Not SSL_MODE_RELEASE_BUFFERS: it saves 34 kB for each idle connection, but each record costs two
    // allocations, and a process has few connections.
    _ = unsafe CWireShims_SSL_CTX_set_mode(
      pointer, Int(SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER))
    return unsafe pointer
  }

  /// Returns protocol names in the format of ALPN, each after its length.
  private static func wireFormat(_ protocols: [String]) throws(TLSError) -> [UInt8] {
    var bytes: [UInt8] = []
    for name in protocols {
      guard let count = UInt8(exactly: name.utf8.count), count > 0 else {
        throw TLSError(.local("'\(name)' is not an ALPN protocol name"))
      }
      bytes.append(count)
      bytes.append(contentsOf: name.utf8)
    }
    return bytes
  }

  /// Selects the first of the server's protocols that the client offers.
  fileprivate func select(
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?,
    from offer: UnsafePointer<UInt8>?, _ offerCount: UInt32
  ) -> Int32 {
    var selected: UnsafeMutablePointer<UInt8>?
    let status = unsafe SSL_select_next_proto(
      &selected, chosenCount, alpnChoices.baseAddress, UInt32(alpnChoices.count), offer, offerCount)
    unsafe chosen?.pointee = UnsafePointer(selected)
    return status == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
  }
}

private func selectProtocol(
  _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ chosenCount: UnsafeMutablePointer<UInt8>?,
  _ offer: UnsafePointer<UInt8>?, _ offerCount: UInt32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context = unsafe context else { return SSL_TLSEXT_ERR_NOACK }
  // The engine of the handshake keeps the context alive.
  return unsafe Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue()
    .select(chosen, chosenCount, from: offer, offerCount)
}

private func verifyWithLookup(
  _ store: OpaquePointer?, _ lookup: UnsafeMutableRawPointer?
) -> Int32 {
  guard let store = unsafe store, let lookup = unsafe lookup else { return 0 }
  // The engine of the handshake keeps the context alive, and the context its lookup.
  return unsafe PeerVerification.verify(
    store, with: Unmanaged<RootLookup>.fromOpaque(lookup).takeUnretainedValue())
}

/// Returns the engine of a connection. OpenSSL calls back within the engine's own calls only.
private func engine(_ ssl: OpaquePointer?) -> TLSEngine? {
  guard let ssl = unsafe ssl, let engine = unsafe SSL_get_ex_data(ssl, 0) else { return nil }
  return unsafe Unmanaged<TLSEngine>.fromOpaque(engine).takeUnretainedValue()
}

/// OpenSSL calls it once for each handshake message, and for alerts in both directions.
private func countMessage(_ ssl: OpaquePointer?, _ event: Int32, _: Int32) {
  guard event & (SSL_CB_EXIT | SSL_CB_ALERT) != 0 else { return }
  unsafe engine(ssl)?.countMessage()
}

private func certificateWasRequested(_ ssl: OpaquePointer?) -> Int32 {
  unsafe engine(ssl)?.certificateWasRequested()
  return 1
}

/// Returns 0: OpenSSL's reference to the session was not taken over.
private func keepSession(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
  unsafe engine(ssl)?.keep(session)
  return 0
}

private func logKeys(_ ssl: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
  guard let engine = unsafe engine(ssl), let line = unsafe line else { return }
  engine.context.keyLog?.append(unsafe String(cString: line))
}
