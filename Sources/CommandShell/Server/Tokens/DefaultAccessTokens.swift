import Tripwire
import TripwireGoogleAuth
import WireSystem
import WireTransport

/// The access tokens of this machine, which are used if nothing else provides a token. Such a token opens the whole
/// project, so it is only for Google's own servers.
package struct DefaultAccessTokens {
  package static let variable = ApplicationDefaultCredentials.variable

  let endpoint: String
  /// Whether a recording answers in place of a server.
  let isRecording: Bool
  let tls: TLSOptions
  let authority: String?

  /// Returns the credentials: Application Default Credentials, or the account of gcloud; nil if there are none, or the
  /// server must not get their token.
  ///
  /// - Parameters:
  ///   - deadline: when to give up waiting for the writer of a pipe.
  ///   - trace: called with a line for -v.
  /// - Throws: ``TokenError`` if there is a file, but it cannot be used.
  func credentials(
    _ environment: Environment, until deadline: ContinuousClock.Instant?, _ trace: (String) -> Void
  ) throws(TokenError) -> (any GoogleCredentials)? {
    if let obstacle {
      if ApplicationDefaultCredentials(environment).path != nil {
        trace("the credentials of this machine are not used: \(obstacle)")
      }
      return nil
    }
    return try Self.found(environment, until: deadline)
  }

  /// The same, for any use.
  static func found(
    _ environment: Environment, until deadline: ContinuousClock.Instant?
  ) throws(TokenError) -> (any GoogleCredentials)? {
    let machine = ApplicationDefaultCredentials(environment)
    if let found = try machine.find(until: deadline) { return found }
    return machine.hasGcloudAccount ? CommandCredentials.gcloud : nil
  }

  /// The reason why the server must not get such a token unasked; nil if it may.
  var obstacle: String? {
    if isRecording { return "a recording answers the calls" }
    if tls.isPlaintext { return "the connection has no TLS" }
    if tls.skipsVerification { return "the certificate of the server is not verified" }
    guard case .host(let host, _)? = (try? Target(endpoint))?.endpoint, Self.isOfGoogle(host) else {
      return "the server is \(endpoint), not one of googleapis.com"
    }
    if let authority, !Self.isOfGoogle(String(authority.prefix { $0 != ":" })) {
      return "--authority names another server, \(authority)"
    }
    return nil
  }

  private static func isOfGoogle(_ host: String) -> Bool {
    host.lowercased().hasSuffix(".googleapis.com")
  }
}
