/// Why a TLS connection could not be made or went wrong.
public struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// The first bytes from the peer are no TLS record; says what they look like.
    case peerIsNotTLS(looksLike: FirstBytes)
    /// No chain from the peer's certificate to a trusted root: self-signed, unknown issuer, wrong
    /// use and so on. Names the certificate.
    case untrustedCertificate(reason: String)
    /// A certificate of the chain is past its last day, `notAfter` in ISO 8601.
    case expiredCertificate(subject: String, notAfter: String)
    /// A certificate of the chain is not yet valid: `notBefore` in ISO 8601. Or the clock is wrong.
    case notYetValidCertificate(subject: String, notBefore: String)
    /// A certificate of the chain is in a list of revoked ones.
    case revokedCertificate(subject: String)
    /// The certificate is for other names.
    case hostnameMismatch(expected: String, names: [String])
    /// The peer did not agree to the application protocol that we need (RFC 7301).
    case noALPN(offered: [String])
    /// The peer knows no TLS version that we accept, which are 1.2 and 1.3.
    case unsupportedVersion
    /// The peer offers no cipher suite that we accept (RFC 9113 appendix A). With an alert the peer
    /// refused ours, most likely for that reason.
    case noCommonCipher(alert: String?)
    /// The peer ended it with this alert, by its name in RFC 8446 (`unknown_ca`).
    case alert(name: String)
    /// The server wants a certificate of ours, and we have none to show. Without an alert it only
    /// closed the connection after it had asked for one, as grpc's C core does.
    case clientCertificateWanted(alert: String?)
    /// The server did not take the certificate that we showed; alert as above. In TLS 1.3 this comes
    /// after the handshake.
    case clientCertificateRefused(alert: String?)
    /// The connection ended before the handshake did.
    case closedDuringHandshake
    /// The connection ended without close_notify: what came may not be all.
    case truncated
    /// The peer broke the protocol, or somebody changed the bytes on their way.
    case protocolViolation(String)
    /// The peer sends many messages after the handshake: new keys, session tickets, alerts.
    case flood
    /// The fault is on this side: a certificate file that cannot be read, a name that is none.
    case local(String)
  }

  public let kind: Kind
  /// The file or text that is at fault where the kind is `local`, if any is.
  package let inputFault: TLSInputFault?

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
      "the peer did not agree to the protocol \(offered.joined(separator: " or ")) (ALPN):"
        + " it or a proxy in between does not support it"
    case .unsupportedVersion:
      "the peer supports neither TLS 1.2 nor TLS 1.3"
    case .noCommonCipher(let alert):
      "the peer offers no acceptable cipher suite: it must offer TLS 1.3, or TLS 1.2 with ECDHE and"
        + " AES-GCM or ChaCha20-Poly1305"
        + (alert.map { " (most likely: it sent the TLS alert \($0))" } ?? "")
    case .alert(let name):
      "the peer ended the connection with the TLS alert \(name)"
    case .clientCertificateWanted(let alert?):
      "the server requires a client certificate (TLS alert \(alert))"
    case .clientCertificateWanted(nil):
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
    let shown = names.prefix(8).joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}
