package import WireGRPC
import WireIO

/// An HTTP proxy that opens tunnels with CONNECT (gRFC A1).
package struct Proxy: Hashable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: UInt16
  /// Whether the connection to the proxy itself uses TLS.
  package var usesTLS: Bool
  /// The value of `Proxy-Authorization`, a credential.
  package var authorization: String?

  /// Reads `[http://|https://][user[:password]@]host[:port][/]`. User and password are
  /// percent-decoded; the default port is 80, or 443 for https.
  ///
  /// - Throws: the reason without the text, which may contain a password.
  package init(_ url: String) throws(ProxyURLError) {
    var rest = url[...]
    usesTLS = false
    if let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") {
      let scheme = url[..<colon].lowercased()
      guard scheme == "http" || scheme == "https" else {
        throw ProxyURLError("only http:// and https:// proxies are supported")
      }
      usesTLS = scheme == "https"
      rest = url[colon...].dropFirst(3)
    }
    if rest.last == "/" { rest.removeLast() }
    if let at = rest.lastIndex(of: "@") {
      authorization = try Self.basic(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    let place = try mapError(HostAndPort(rest)) { (error: HostAndPort.Problem) in
      ProxyURLError(
        error == .badPort
          ? "expected a port from 1 to 65535 after the colon"
          : "expected [http://|https://][USER:PASSWORD@]HOST[:PORT]")
    }
    guard !place.host.contains(":") || SocketAddress(numericHost: place.host, port: 0) != nil else {
      throw ProxyURLError("expected [http://|https://][USER:PASSWORD@]HOST[:PORT]")
    }
    host = place.host
    port = place.port ?? (usesTLS ? 443 : 80)
  }

  /// RFC 7617, the user name and the password in UTF-8.
  private static func basic(_ userInfo: Substring) throws(ProxyURLError) -> String {
    let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let user = String(parts.first ?? "").percentDecoded
    let password = String(parts.dropFirst().first ?? "").percentDecoded
    guard !user.contains(UInt8(ascii: ":")) else {
      throw ProxyURLError("the user name contains a colon, which HTTP does not allow")
    }
    return "Basic " + Base64.encode(user + [UInt8(ascii: ":")] + password, padded: true)
  }

  /// The password, which a proxy may echo.
  package var credentials: [Credential] {
    guard let authorization else { return [] }
    let metadata: Metadata = ["proxy-authorization": .text(authorization)]
    return metadata.credentials
  }

  /// "host:port", with the scheme for https; never the password.
  package var description: String {
    (usesTLS ? "https://" : "") + HostAndPort(host: host, port: port).description
  }
}

package struct ProxyURLError: Error {
  package var reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
