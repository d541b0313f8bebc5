/// What a TLS client trusts, offers and shows.
///
/// TLS 1.3 and 1.2 are spoken; renegotiation and compression are not. TLS 1.2 is limited to cipher
/// suites with ECDHE and AES-GCM or ChaCha20-Poly1305 (RFC 9113 appendix A). Names count as RFC 9525 has
/// it: only those that a certificate lists as hosts or addresses (subjectAltName), a wildcard only
/// as the whole first label. Revocation is checked against `revocationLists` alone: OCSP responses
/// are not asked for (the servers of Google staple none), and so a certificate's wish that one be
/// stapled (RFC 7633) is passed over, as other clients of gRPC do.
public struct TLSConfiguration: Sendable, Hashable {
  /// Where the root certificates come from.
  public enum Trust: Sendable, Hashable {
    /// The system's: SSL_CERT_FILE or SSL_CERT_DIR when set, else OpenSSL's default directory, else
    /// the bundle where distributions put it.
    case system
    /// A file of PEM certificates. Any of them is trusted as an end of the chain, also one that is
    /// not self-signed.
    case file(String)
    /// The same in memory.
    case pem([UInt8])
  }

  /// How closely the peer's certificate is looked at.
  public enum Verification: Sendable, Hashable {
    /// Chain, dates and name.
    case full
    /// Not at all: whoever answers is believed.
    case none
  }

  /// Text in PEM (RFC 7468), or the path of a file that holds it.
  public enum PEMSource: Sendable, Hashable {
    case file(String)
    case pem([UInt8])
  }

  /// Who the client is, for servers that ask (mTLS).
  public struct Identity: Sendable, Hashable {
    /// The certificate, followed by those of the authorities between it and a root.
    public var certificate: PEMSource
    /// Its private key, not encrypted.
    public var privateKey: PEMSource

    public init(certificate: PEMSource, privateKey: PEMSource) {
      self.certificate = certificate
      self.privateKey = privateKey
    }
  }

  public var trust: Trust
  public var verification: Verification
  /// The protocols to offer by ALPN, the first preferred; the peer must take one. Empty: no ALPN.
  public var applicationProtocols: [String]
  /// Shown to a server that asks for a certificate; nil shows none.
  public var identity: Identity?
  /// The name to ask for (SNI) and to expect in the certificate; nil takes it from the target.
  public var serverName: String?
  /// The lists of revoked certificates (RFC 5280 §5), in PEM. With them each certificate of the
  /// server's chain must be in no list, and there must be a current list of each issuer; nil checks
  /// nothing.
  public var revocationLists: PEMSource?
  /// A file to which the secrets of all connections are appended, so that tools such as Wireshark can
  /// read what they capture, in the form of SSLKEYLOGFILE. Anyone who has it can read along.
  public var keyLogFile: String?

  public init(
    trust: Trust = .system, verification: Verification = .full,
    applicationProtocols: [String] = ["h2"], identity: Identity? = nil
  ) {
    self.trust = trust
    self.verification = verification
    self.applicationProtocols = applicationProtocols
    self.identity = identity
  }
}

extension TLSConfiguration.PEMSource: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The path, or how long the text is: it may be a private key.
  public var description: String {
    switch self {
    case .file(let path): "the file \(path)"
    case .pem(let text): "\(text.count) bytes of PEM"
    }
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
