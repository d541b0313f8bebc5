/// The configuration of a TLS client: trust, protocols and certificate.
///
/// TLS 1.3 and 1.2 are supported, without renegotiation and compression. TLS 1.2 is limited to cipher
/// suites with ECDHE and AES-GCM or ChaCha20-Poly1305 (RFC 9113 appendix A). Names are matched by RFC 9525:
/// only the hosts and addresses of subjectAltName count, and a wildcard only as the whole first label.
/// Revocation is checked with `revocationLists` only. OCSP responses are not requested (Google's servers
/// staple none). A certificate that requires a stapled response (RFC 7633) is accepted even if there is none, as
/// in other gRPC clients.
public struct TLSConfiguration: Sendable, Hashable {
  /// The source of the root certificates.
  public enum Trust: Sendable, Hashable {
    /// The system's: SSL_CERT_FILE or SSL_CERT_DIR if set, else OpenSSL's default directory, else the bundle
    /// of the distribution.
    case system
    /// A file of PEM certificates. Each of them is trusted as the end of a chain, also one that is not
    /// self-signed.
    case file(String)
    /// PEM certificates in memory.
    case pem([UInt8])
  }

  /// How the peer's certificate is verified.
  public enum Verification: Sendable, Hashable {
    /// The chain, the dates and the name are verified.
    case full
    /// Nothing is verified: any peer is accepted.
    case none
  }

  /// PEM text (RFC 7468), or the path of a file with it.
  public enum PEMSource: Sendable, Hashable {
    /// The path of a PEM file.
    case file(String)
    /// PEM text.
    case pem([UInt8])
  }

  /// The client's identity, for servers that request it (mTLS).
  public struct Identity: Sendable, Hashable {
    /// The certificate, followed by those of the authorities between it and a root.
    public var certificate: PEMSource
    /// Its private key, not encrypted.
    public var privateKey: PEMSource

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - certificate: the certificate and the intermediate ones.
    ///   - privateKey: its private key, unencrypted.
    public init(certificate: PEMSource, privateKey: PEMSource) {
      self.certificate = certificate
      self.privateKey = privateKey
    }
  }

  /// The roots to which the chain of the server must lead.
  public var trust: Trust
  /// How the certificate of the server is verified.
  public var verification: Verification
  /// The protocols to offer by ALPN, the preferred one first; the peer must select one. Empty: no ALPN.
  public var applicationProtocols: [String]
  /// Sent to a server that requests a certificate; nil sends none.
  public var identity: Identity?
  /// The name for SNI and for the certificate; nil takes it from the target.
  public var serverName: String?
  /// The lists of revoked certificates (RFC 5280 §5), in PEM. With them, no list may contain a certificate
  /// of the server's chain, and each issuer must have a current list. Nil checks nothing.
  public var revocationLists: PEMSource?
  /// A file to which the secrets of all connections are appended, in the form of SSLKEYLOGFILE, so that
  /// Wireshark can decrypt captured traffic. Anyone with this file can decrypt the traffic. A file with other
  /// content is an error; a pipe or a device gets the lines as they come.
  public var keyLogFile: String?
  /// Whether ``TLSContext/peerChain`` has the certificates of the last server.
  package var keepsPeerChain = false

  /// Creates a configuration. By default, the certificate must lead to a root of the system and have the name of the
  /// host.
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
  /// The path, or the length of the text, which may be a private key.
  public var description: String {
    switch self {
    case .file(let path): "the file \(path)"
    case .pem(let text): "\(text.count) bytes of PEM"
    }
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
