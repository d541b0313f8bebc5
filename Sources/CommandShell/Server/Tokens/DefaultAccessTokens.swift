import TripwireGoogleAuth
import WireTransport

/// Whether a server gets the access token of this machine if nothing else provides a token. Such a token grants access to
/// the whole project, so it is sent only to Google's servers.
package struct DefaultAccessTokens {
  package static let variable = ApplicationDefaultCredentials.variable

  let endpoint: String
  /// Whether a recording answers in place of a server.
  let isRecording: Bool
  let tls: TLSOptions
  let authority: String?

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
