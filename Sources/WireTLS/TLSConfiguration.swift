/// What a TLS client trusts and offers.
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

  public var trust: Trust
  public var verification: Verification
  /// The protocols to offer by ALPN, the first preferred; the peer must take one. Empty: no ALPN.
  public var applicationProtocols: [String]

  public init(
    trust: Trust = .system, verification: Verification = .full,
    applicationProtocols: [String] = ["h2"]
  ) {
    self.trust = trust
    self.verification = verification
    self.applicationProtocols = applicationProtocols
  }
}
