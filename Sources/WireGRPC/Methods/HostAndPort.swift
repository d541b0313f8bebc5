/// A host, and perhaps a port, as people write them: `host`, `host:port`, `[::1]`, `[::1]:port` or a
/// bare IPv6 address. The one place where such text is read.
package struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with a text.
  package enum Problem: Error {
    /// There is a port and no host before it.
    case noHost
    /// No host, or characters that are in none: spaces, slashes, `@`, anything but ASCII.
    case badHost
    /// What follows the colon is no port.
    case badPort
    /// Something but a colon and a port follows the bracket, or there is no closing one.
    case badBracket
  }

  /// Without brackets.
  package var host: String
  package var port: UInt16?

  package init(host: String, port: UInt16?) {
    self.host = host
    self.port = port
  }

  /// - Parameter lowestPort: 0 where that asks for any free one.
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

  /// "host:port", an IPv6 address in brackets.
  package var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(host):\($0)" } ?? host
  }
}
