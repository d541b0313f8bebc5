package import WireGRPC

/// The URL of a NATS server, `nats://[USER:PASSWORD@]HOST[:PORT]` or `tls://…`, split into its parts.
package struct NATSURL: Sendable {
  /// The port of a URL without one.
  package static let defaultPort: UInt16 = 4222

  package let text: String
  /// "nats" or "tls"; nil without `://`.
  package let scheme: String?
  /// The host and the port, without the path.
  private let address: Substring
  private let hasPath: Bool

  /// Splits a URL, which may be invalid: ``place()`` reports that.
  package init(_ text: some StringProtocol) {
    let text = String(text)
    self.text = text
    // A search for a substring would link regular expressions.
    let separator = text.indices.first { text[$0...].hasPrefix("://") }
    scheme = separator.map { String(text[..<$0]) }
    // A password may contain any character, even "@" and "://".
    let start =
      text.lastIndex(of: "@").map(text.index(after:))
      ?? separator.map { text.index($0, offsetBy: 3) } ?? text.startIndex
    address = text[start...].prefix { $0 != "/" }
    hasPath = !["", "/"].contains(text[address.endIndex...])
  }

  /// Splits the URLs of the servers of a cluster, with commas between them.
  package static func list(_ text: String) -> [NATSURL] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { NATSURL($0) }
  }

  package var requiresTLS: Bool { scheme == "tls" }

  /// The user name; nil if there is none, or only a token, which is secret.
  package var user: String? {
    let start =
      scheme.map { text.index(text.startIndex, offsetBy: $0.count + 3) } ?? text.startIndex
    guard start < address.startIndex else { return nil }
    let login = text[start..<address.startIndex].dropLast()
    return login.firstIndex(of: ":").map { String(login[..<$0]) }
  }

  /// The URL without user name, password and path, for messages.
  package var redacted: String { (scheme.map { $0 + "://" } ?? "") + address }

  /// Returns the host and the port.
  ///
  /// - Throws: the reason why the URL is invalid.
  package func place() throws(HostAndPort.Problem) -> HostAndPort {
    guard !hasPath else { throw .badHost }
    let place = try HostAndPort(address)
    guard !place.host.contains(":") || address.first == "[" else { throw .badHost }
    return place
  }
}
