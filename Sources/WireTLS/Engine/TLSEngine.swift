import COpenSSL
import CWireShims
import WireSystem

/// The progress of a handshake.
package enum HandshakeState: Sendable, Hashable {
  case inProgress
  case done(TLSSession)
}

/// One TLS connection without its socket: bytes go in and come out (sans-IO).
///
/// The driver passes received bytes to `receive`, calls `handshake` until it is done, and then `read` and
/// `write`. After each of these it sends the output of `drain`, also after an error, because there may be an
/// alert for the peer. After the first error every call throws that error again. Not Sendable: one actor
/// owns it.
@safe package final class TLSEngine {
  /// The side of the connection.
  package enum Role: Sendable, Hashable {
    /// The name or IP address that the server's certificate must have. A name is also sent (SNI).
    case client(serverName: String)
    case server
  }

  let context: TLSContext
  private let ssl: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  private let serverName: String
  private var firstBytes: [UInt8]? = []
  private var session: TLSSession?
  private var hasEnded = false
  private var failure: TLSError?
  private var verificationFailure: TLSError?
  private var hasBegun = false
  private var isCertificateRequested = false
  private var hasRead = false
  /// The budget for messages after the handshake: KeyUpdate and NewSessionTicket (RFC 8446 §4.6),
  /// HelloRequest (RFC 5246) and alerts. OpenSSL limits none of them, and each costs more than a data record.
  /// Peers send a few tickets, and new keys after gigabytes.
  private var budget = AbuseBudget(burst: 100, refillPerSecond: 1, now: .now)

  /// Creates the engine of one connection. Throws `local` for an invalid server name.
  package init(context: TLSContext, role: Role) throws(TLSError) {
    OpenSSLErrors.clear()
    guard
      let ssl = unsafe SSL_new(context.pointer), let incoming = unsafe BIO_new(BIO_s_mem()),
      let outgoing = unsafe BIO_new(BIO_s_mem())
    else { throw TLSError(.local("cannot set up TLS: \(OpenSSLErrors.drain().text)")) }
    // From here on the SSL owns its BIOs.
    unsafe SSL_set_bio(ssl, incoming, outgoing)
    self.context = context
    unsafe self.ssl = unsafe ssl
    unsafe self.incoming = unsafe incoming
    unsafe self.outgoing = unsafe outgoing
    switch role {
    case .client(let name):
      do throws(TLSError) {
        serverName = try unsafe PeerVerification.expect(name, from: ssl)
      } catch {
        unsafe SSL_free(ssl)
        throw error
      }
      unsafe SSL_set_connect_state(ssl)
    case .server:
      serverName = ""
      unsafe SSL_set_accept_state(ssl)
    }
    // For the verify callback, which OpenSSL calls within `handshake` only.
    _ = unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    unsafe SSL_free(ssl)
  }

  // MARK: Ciphertext

  /// Receives bytes of the socket.
  ///
  /// Throws `peerIsNotTLS` if the first bytes are not TLS.
  package func receive(_ ciphertext: UnsafeRawBufferPointer) throws(TLSError) {
    if let failure { throw failure }
    guard unsafe !ciphertext.isEmpty else { return }
    if var bytes = firstBytes {
      unsafe bytes.append(contentsOf: ciphertext.prefix(64))
      if let protocolHint = FirstBytes(bytes) {
        throw fail(.peerIsNotTLS(looksLike: protocolHint))
      }
      firstBytes = bytes.count < 2 ? bytes : nil
    }
    var rest = unsafe ciphertext
    while unsafe !rest.isEmpty {
      var count = 0
      guard unsafe BIO_write_ex(incoming, rest.baseAddress, rest.count, &count) == 1 else {
        throw fail(.local("out of memory for TLS"))
      }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Called when the socket has ended. The next `handshake` or `read` that needs more bytes throws
  /// `closedDuringHandshake` or `truncated`, unless the peer has sent close_notify.
  package func receiveEOF() {
    hasEnded = true
    unsafe CWireShims_BIO_set_mem_eof_return(incoming, 0)
  }

  /// The number of bytes that wait for `drain`.
  package var pendingCiphertext: Int {
    unsafe CWireShims_BIO_pending(outgoing)
  }

  /// Moves output for the socket into `buffer`. Returns the number of bytes, 0 if there are none.
  package func drain(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var count = 0
    _ = unsafe BIO_read_ex(outgoing, buffer.baseAddress, buffer.count, &count)
    return count
  }

  /// Appends all output for the socket.
  package func drain(to output: inout [UInt8]) {
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: pendingCiphertext))
    let end = unsafe output.withUnsafeMutableBytes { bytes in
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return unsafe free.isEmpty ? start : start + drain(into: free)
    }
    output.removeLast(output.count - end)
  }

  // MARK: Handshake

  /// Continues the handshake as far as the received bytes allow.
  ///
  /// Throws every kind of `TLSError` except `truncated`.
  package func handshake() throws(TLSError) -> HandshakeState {
    if let failure { throw failure }
    if let session { return .done(session) }
    OpenSSLErrors.clear()
    if !hasBegun {
      hasBegun = true
      // Not earlier, so that an abandoned connection uses no session.
      if let earlier = context.sessions.take(for: serverName) {
        _ = unsafe SSL_set_session(ssl, earlier.pointer)
      }
    }
    let status = unsafe SSL_do_handshake(ssl)
    let reason = unsafe status == 1 ? SSL_ERROR_NONE : SSL_get_error(ssl, status)
    if reason != SSL_ERROR_WANT_READ { unsafe context.keepPeerChain(of: ssl) }
    guard status == 1 else {
      switch reason {
      case SSL_ERROR_WANT_READ: return .inProgress
      case SSL_ERROR_ZERO_RETURN: throw fail(silentRefusal ?? .closedDuringHandshake)
      default: throw explain()
      }
    }
    let session = unsafe TLSSession(ssl)
    if serverName != "", !context.applicationProtocols.isEmpty {
      guard let chosen = session.applicationProtocol, context.applicationProtocols.contains(chosen)
      else { throw fail(.noALPN(offered: context.applicationProtocols)) }
    }
    self.session = session
    // The server may send no new session, and this one can be used again.
    if session.isResumed, session.version == "TLSv1.2" { unsafe keep(SSL_get_session(ssl)) }
    return .done(session)
  }

  /// Also called within OpenSSL.
  func keep(_ session: OpaquePointer?) {
    guard let copy = unsafe OwnedSession(copying: session) else { return }
    context.sessions.keep(copy, for: serverName)
  }

  /// Called within OpenSSL.
  func certificateWasRequested() {
    isCertificateRequested = true
  }

  /// Called within OpenSSL, for each handshake message and each alert.
  func countMessage() {
    if session != nil { budget.charge() }
  }

  /// Called within OpenSSL.
  func verificationFailed(_ reason: (_ expected: String) -> TLSError) {
    guard context.verification == .full, verificationFailure == nil else { return }
    verificationFailure = reason(serverName)
  }

  // MARK: Plaintext

  /// Whether the peer has sent close_notify: no more plaintext follows.
  package var peerHasClosed: Bool {
    unsafe SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0
  }

  /// Moves plaintext into `buffer` until it is full or there is no more. Returns the number of bytes.
  ///
  /// 0 means that there is none now: receive more, or check `peerHasClosed`. If an error follows some
  /// plaintext, this call returns the plaintext, and the next call throws the error.
  /// Throws `truncated`, `alert`, `protocolViolation` and `flood`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int {
    if let failure { throw failure }
    guard session != nil else { return 0 }
    if budget.isExhausted(now: { .now }) { throw fail(.flood) }
    var total = 0
    // This check is cheaper than SSL_read if there is nothing to read.
    while total < buffer.count, hasInput {
      var count = 0
      OpenSSLErrors.clear()
      let status = unsafe SSL_read_ex(
        ssl, buffer.baseAddress?.advanced(by: total), buffer.count - total, &count)
      total += count
      if status == 1 {
        hasRead = true
        continue
      }
      switch unsafe SSL_get_error(ssl, status) {
      case SSL_ERROR_WANT_READ, SSL_ERROR_ZERO_RETURN: return total
      default:
        let error = explain()
        if total == 0 { throw error }
        return total
      }
    }
    return total
  }

  private var hasInput: Bool {
    unsafe hasEnded || CWireShims_BIO_pending(incoming) > 0 || SSL_has_pending(ssl) == 1
  }

  /// Encrypts `plaintext`. Returns the number of bytes taken.
  ///
  /// Fewer than all if much ciphertext is waiting, or the handshake is not done: drain, then continue with
  /// the rest.
  package func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSError) -> Int {
    if let failure { throw failure }
    guard session != nil else { return 0 }
    var total = 0
    while total < plaintext.count, pendingCiphertext < Self.mostPendingCiphertext {
      var count = 0
      OpenSSLErrors.clear()
      guard
        unsafe SSL_write_ex(
          ssl, plaintext.baseAddress?.advanced(by: total), plaintext.count - total, &count) == 1
      else { throw explain() }
      total += count
    }
    return total
  }

  /// Sends close_notify; nothing can be written afterwards.
  package func close() {
    guard session != nil, failure == nil else { return }
    _ = unsafe SSL_shutdown(ssl)
    OpenSSLErrors.clear()
  }

  private static let mostPendingCiphertext = 128 * 1024

  // MARK: Errors

  private func fail(_ kind: TLSError.Kind) -> TLSError {
    let error = TLSError(kind)
    failure = error
    return error
  }

  /// Returns the error of the last failed call.
  private func explain() -> TLSError {
    let errors = OpenSSLErrors.drain()
    if let verificationFailure {
      failure = verificationFailure
      return verificationFailure
    }
    switch errors.alert {
    case TLSAlert.noApplicationProtocol:
      return fail(.noALPN(offered: context.applicationProtocols))
    case TLSAlert.protocolVersion: return fail(.unsupportedVersion)
    case let alert?: return fail(meaning(of: alert))
    case nil: break
    }
    if errors.has(SSL_R_NO_APPLICATION_PROTOCOL) {
      return fail(.noALPN(offered: context.applicationProtocols))
    }
    if errors.has(SSL_R_UNEXPECTED_EOF_WHILE_READING) || hasEnded {
      return fail(silentRefusal ?? (session == nil ? .closedDuringHandshake : .truncated))
    }
    if errors.has(SSL_R_NO_SHARED_CIPHER) { return fail(.noCommonCipher(alert: nil)) }
    if errors.has(SSL_R_UNSUPPORTED_PROTOCOL) || errors.has(SSL_R_NO_PROTOCOLS_AVAILABLE)
      || errors.has(SSL_R_WRONG_SSL_VERSION) || errors.has(SSL_R_VERSION_TOO_LOW)
    {
      return fail(.unsupportedVersion)
    }
    return fail(.protocolViolation(errors.text))
  }

  /// Returns the meaning of an alert, which depends on whether the server had requested a certificate.
  private func meaning(of alert: Int) -> TLSError.Kind {
    let name = TLSAlert.name(alert)
    if session == nil, !isCertificateRequested, TLSAlert.cipherAlerts.contains(alert) {
      return .noCommonCipher(alert: name)
    }
    guard isCertificateRequested else { return .alert(name: name) }
    if context.hasIdentity {
      return TLSAlert.certificateAlerts.contains(alert)
        ? .clientCertificateRefused(alert: name) : .alert(name: name)
    }
    // TLS 1.2 has no alert for it.
    return TLSAlert.certificateAlerts.contains(alert) || alert == TLSAlert.handshakeFailure
      ? .clientCertificateRequired(alert: name) : .alert(name: name)
  }

  /// Returns the likely meaning of the connection's end: servers such as grpc's C core may close it without
  /// an alert if they reject the client's certificate.
  package var silentRefusal: TLSError.Kind? {
    guard isCertificateRequested, !hasRead else { return nil }
    return context.hasIdentity
      ? .clientCertificateRefused(alert: nil) : .clientCertificateRequired(alert: nil)
  }
}
