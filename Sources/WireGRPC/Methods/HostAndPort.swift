/// A host and an optional port: `host`, `host:port`, `[::1]`, `[::1]:port` or a bare IPv6 address.
/// All such text is parsed here.
package struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Error {
    case noHost
    /// The host is empty or has invalid characters: spaces, slashes, `@` or beyond ASCII.
    case badHost
    case badPort
    /// The closing bracket is missing, or followed by something other than a colon and a port.
    case badBracket
  }

  /// The host without brackets.
  package var host: String
  package var port: UInt16?

  package init(host: String, port: UInt16?) {
    self.host = host
    self.port = port
  }

  /// - Parameter lowestPort: 0 if the caller accepts port 0, which means any free port.
  package init(_ text: some StringProtocol, lowestPort: UInt16 = 1) throws(Problem) {
    let text = String(text)
    let host: Substring
    let rest: Substring
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { throw .badBracket }
      host = text[..<end].dropFirst()
      rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { throw .badBracket }
    } else if text.lazy.filter({ $0 == ":" }).count > 1 {
      (host, rest) = (text[...], "")
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
      if host.isEmpty, !rest.isEmpty { throw .noHost }
    }
    let isHost = host.unicodeScalars.allSatisfy { scalar in
      (0x21...0x7E).contains(scalar.value) && !"/@?#[],".unicodeScalars.contains(scalar)
    }
    guard !host.isEmpty, isHost else { throw .badHost }
    self.host = String(host)
    guard !rest.isEmpty else { return }
    let digits = rest.dropFirst()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
      port >= lowestPort
    else { throw .badPort }
    self.port = port
  }

  /// "host:port", with an IPv6 address in brackets.
  package var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(host):\($0)" } ?? host
  }
}
