/// The NATS servers to connect to, and the credentials.
package struct NATSOptions: Sendable {
  /// One URL or several with commas: `nats://127.0.0.1:4222`, `tls://nats.example:4222`.
  package var url: String
  /// A file with a JWT and a seed, as `nsc` writes it.
  package var credentialsFile: String?
  /// PEM files. Any of them requires TLS.
  package var trustFile: String?
  package var certificateFile: String?
  package var keyFile: String?
  /// The name of the client in the logs of the server.
  package var name = "tripwire-relay"

  package static let defaultURL = "nats://127.0.0.1:4222"

  package init(url: String = defaultURL) {
    self.url = url
  }

  var servers: [String] { url.split(separator: ",").map(String.init) }

  var requiresTLS: Bool {
    trustFile != nil || certificateFile != nil || servers.contains { $0.hasPrefix("tls://") }
  }

  /// The URL without user name and password, for messages.
  var shownURL: String {
    servers.map { url in
      guard let at = url.lastIndex(of: "@") else { return url }
      let scheme = url.firstRange(of: "://").map { String(url[..<$0.upperBound]) } ?? ""
      return scheme + url[url.index(after: at)...]
    }.joined(separator: ",")
  }
}
