/// The reason why a TLS connection could not be made, or failed.
public struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause of a failed connection.
  public enum Kind: Hashable, Sendable {
    /// The first bytes from the peer are not a TLS record, but look like those of another protocol.
    case peerIsNotTLS(looksLike: FirstBytes)
    /// There is no chain from the peer's certificate to a trusted root: self-signed, unknown issuer, wrong
    /// use and so on. Or the revocation list of an issuer is missing or out of date.
    case untrustedCertificate(reason: String)
    /// A certificate of the chain has expired, `notAfter` in ISO 8601.
    case expiredCertificate(subject: String, notAfter: String)
    /// A certificate of the chain is not valid yet, `notBefore` in ISO 8601; or the local clock is wrong.
    case notYetValidCertificate(subject: String, notBefore: String)
    /// A revocation list has a certificate of the chain.
    case revokedCertificate(subject: String)
    /// The certificate is for other names.
    case hostnameMismatch(expected: String, names: [String])
    /// The peer did not select a required application protocol (RFC 7301).
    case noALPN(offered: [String])
    /// The peer supports neither TLS 1.2 nor TLS 1.3.
    case unsupportedVersion
    /// The peer supports no accepted cipher suite (RFC 9113 appendix A). With an alert, the peer most likely
    /// rejected the offered suites.
    case noCommonCipher(alert: String?)
    /// The peer ended the connection with this alert, by its name in RFC 8446 (`unknown_ca`).
    case alert(name: String)
    /// The server requires a client certificate, and there is none. Without an alert, the server only closed
    /// the connection after it had requested one, as grpc's C core does.
    case clientCertificateRequired(alert: String?)
    /// The server rejected the client certificate; alert as above. In TLS 1.3 this happens after the
    /// handshake.
    case clientCertificateRefused(alert: String?)
    /// The connection ended during the handshake.
    case closedDuringHandshake
    /// The connection ended without close_notify: the received data may be incomplete.
    case truncated
    /// The peer broke the protocol, or the bytes were changed on their way.
    case protocolViolation(String)
    /// The peer sends many messages after the handshake: new keys, session tickets, alerts.
    case flood
    /// The cause is on this side: an unreadable certificate file, an invalid name.
    case local(String)
  }

  /// The cause of the failure.
  public let kind: Kind
  /// The file or text that caused an error of the kind `local`; nil if there is none.
  package let inputFault: TLSInputFault?

  /// Creates an error of a kind, without the file or text that caused it.
  public init(_ kind: Kind) {
    self.kind = kind
    inputFault = nil
  }

  init(_ fault: TLSInputFault) {
    kind = .local(fault.description)
    inputFault = fault
  }

  public var description: String {
    switch kind {
    case .peerIsNotTLS(let looksLike):
      "the peer does not use TLS: its first bytes look like \(looksLike)"
    case .untrustedCertificate(let reason):
      "the peer's certificate is not trusted: \(reason)"
    case .expiredCertificate(let subject, let notAfter):
      "the certificate of \(subject) expired at \(notAfter)"
    case .notYetValidCertificate(let subject, let notBefore):
      "the certificate of \(subject) is not valid before \(notBefore)"
    case .hostnameMismatch(let expected, let names) where names.isEmpty:
      "the peer's certificate is not for \(expected): it names no host (the common name is ignored)"
    case .hostnameMismatch(let expected, let names) where names.contains(expected):
      "the peer's certificate has \(expected) as a DNS name, not as an IP address"
    case .hostnameMismatch(let expected, let names):
      "the peer's certificate is not for \(expected) but for \(Self.list(names))"
    case .revokedCertificate(let subject):
      "the certificate of \(subject) was revoked"
    case .noALPN(let offered):
      "the peer did not agree to the protocol \(offered.joined(separator: " or ")) in ALPN:"
        + " the peer or a proxy before it does not support this protocol"
    case .unsupportedVersion:
      "the peer supports neither TLS 1.2 nor TLS 1.3"
    case .noCommonCipher(let alert):
      (alert.map { "the peer sent the TLS alert \($0): most likely it" } ?? "the peer")
        + " offers no acceptable cipher suite; it must offer TLS 1.3, or TLS 1.2 with ECDHE and"
        + " AES-GCM or ChaCha20-Poly1305"
    case .alert(let name):
      "the peer ended the connection with the TLS alert \(name)"
    case .clientCertificateRequired(let alert?):
      "the server requires a client certificate (TLS alert \(alert))"
    case .clientCertificateRequired(nil):
      "the server closed the connection after it requested a client certificate:"
        + " most likely it requires one"
    case .clientCertificateRefused(let alert?):
      "the server rejected the client's certificate (TLS alert \(alert))"
    case .clientCertificateRefused(nil):
      "the server closed the connection after it received the client's certificate:"
        + " most likely it rejected the certificate"
    case .closedDuringHandshake:
      "the peer closed the connection during the TLS handshake"
    case .truncated:
      "the connection ended without a TLS close_notify"
    case .protocolViolation(let reason):
      "TLS protocol error: \(reason)"
    case .flood:
      "the peer sent too many TLS messages after the handshake, such as KeyUpdate and NewSessionTicket"
    case .local(let reason):
      reason
    }
  }

  /// A certificate may have thousands of names.
  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.count > 8
      ? names.prefix(8).joined(separator: ", ") + " and \(names.count - 8) more"
      : names.dropLast().joined(separator: ", ") + " and \(last)"
  }
}
