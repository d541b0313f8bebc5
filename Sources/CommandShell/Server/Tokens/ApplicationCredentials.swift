import Tripwire
import WireTransport

/// The service account key in GOOGLE_APPLICATION_CREDENTIALS, as in Google's own libraries. It is used if
/// nothing else provides a token, and only for Fleet Engine itself.
package struct ApplicationCredentials {
  package static let variable = "GOOGLE_APPLICATION_CREDENTIALS"

  let path: String
  let endpoint: String
  let tls: TLSOptions
  let authority: String?

  /// Returns the provider of tokens; nil if the key must not or cannot be used, which is no error.
  ///
  /// - Parameters:
  ///   - deadline: when to give up waiting for the writer of a pipe.
  ///   - trace: called with a line for -v.
  func provider(
    until deadline: ContinuousClock.Instant?, _ trace: (String) -> Void
  ) -> ServiceAccountToken? {
    if let obstacle {
      trace("\(Self.variable) is not used: \(obstacle)")
      return nil
    }
    do throws(TokenError) {
      let key = try ServiceAccountKey(path: path, until: deadline)
      trace("tokens are signed with the key in \(Self.variable) (\(TokenError.shown(path)))")
      return ServiceAccountToken(key: key)
    } catch {
      trace("\(Self.variable) is not used: \(error.problem)")
      return nil
    }
  }

  /// The reason why the server must not get a token of the key; nil if it may.
  var obstacle: String? {
    if tls.isPlaintext { return "the connection has no TLS" }
    if tls.skipsVerification { return "the certificate of the server is not verified" }
    let target = try? Target(endpoint)
    guard case .host(let host, let port)? = target?.endpoint,
      HostAndPort(host: host.lowercased(), port: port).description
        == FleetServices.defaultEndpoint
    else {
      return "the server is \(endpoint), not \(FleetServices.defaultEndpoint)"
    }
    if let authority, authority.lowercased() != host.lowercased() {
      return "--authority names another server, \(authority)"
    }
    return nil
  }
}
