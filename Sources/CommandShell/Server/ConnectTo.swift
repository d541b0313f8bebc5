import CommandLine
import WireGRPC
import WireTransport

/// The address to connect to instead of a server's own, as in curl's `--connect-to`.
struct ConnectTo: Sendable {
  /// Nil for any host.
  private let host: String?
  /// Nil for any port.
  private let port: UInt16?
  /// Nil for the server's own.
  private let newHost: String?
  /// Nil for the server's own.
  private let newPort: UInt16?
  /// As it was given.
  let text: String

  /// Parses `HOST:PORT:ADDRESS:PORT`. Each part may be empty.
  init(_ text: String) throws(InvalidValue) {
    self.text = text
    let wanted = InvalidValue("expected HOST:PORT:ADDRESS:PORT, with IPv6 addresses in brackets")
    var parts: [String] = [""]
    var isBracketed = false
    for character in text {
      if character == ":", !isBracketed {
        parts.append("")
        continue
      }
      if "[]".contains(character) { isBracketed = character == "[" }
      parts[parts.count - 1].append(character)
    }
    guard parts.count == 4, !isBracketed else { throw wanted }
    func host(_ part: String) throws(InvalidValue) -> String? {
      if part.isEmpty { return nil }
      guard let place = try? HostAndPort(part), place.port == nil else { throw wanted }
      return place.host.lowercased()
    }
    func port(_ part: String) throws(InvalidValue) -> UInt16? {
      if part.isEmpty { return nil }
      guard let port = (try? HostAndPort("localhost:" + part))?.port else {
        throw InvalidValue("expected a port from 1 to 65535, found \(escaped(part))")
      }
      return port
    }
    self.host = try host(parts[0])
    self.port = try port(parts[1])
    newHost = try host(parts[2])
    newPort = try port(parts[3])
  }

  /// Returns the address to connect to; nil if the server is another one.
  func address(for target: Target) -> String? {
    guard case .host(let host, let port) = target.endpoint else { return nil }
    guard self.host ?? host.lowercased() == host.lowercased(), self.port ?? port == port else {
      return nil
    }
    return HostAndPort(host: newHost ?? host, port: newPort ?? port).description
  }
}

extension ConnectionOptions {
  /// Returns the address to connect to, and the `:authority` of calls, after --connect-to. The authority
  /// is nil for that of the address.
  func place(of endpoint: String) -> (address: String, authority: String?) {
    guard let target = try? Target(endpoint) else { return (endpoint, authority) }
    for replacement in connectTo {
      if let address = replacement.address(for: target) {
        return (address, authority ?? target.authority)
      }
    }
    return (endpoint, authority)
  }
}
