package import WireGRPC
package import WireIO
import WireSystem

/// The target of a channel, as the user wrote it (gRPC naming.md).
package struct Target: Hashable, Sendable {
  package enum Endpoint: Hashable, Sendable {
    /// A name or a numeric address for the resolver.
    case host(String, port: UInt16)
    case addresses([SocketAddress])
  }

  package var endpoint: Endpoint
  /// The default of `:authority`.
  package var authority: String
  /// The target for people, "host:port".
  package var description: String

  static let defaultPort: UInt16 = 443

  /// The host, or first address, and port for a proxy; nil for a unix socket, which none can reach.
  package var tunnelEnd: (host: String, port: UInt16)? {
    switch endpoint {
    case .host(let host, let port): (host, port)
    case .addresses(let addresses):
      addresses.first.flatMap { address in address.port.map { (address.host, $0) } }
    }
  }

  /// - Throws: a ``ConnectionFailure`` with the reason.
  package init(_ text: String) throws(ConnectionFailure) {
    func failure(_ detail: String) -> ConnectionFailure { Self.failure(text, detail) }
    guard !text.isEmpty else { throw failure("it is empty; \(Self.forms)") }
    let (scheme, rest) = Self.split(text)
    switch scheme {
    case "unix", "unix-abstract":
      let isPath = scheme == "unix"
      let path = rest.hasPrefix("///") ? String(rest.dropFirst(2)) : String(rest)
      guard !path.isEmpty else { throw failure("the socket \(isPath ? "path" : "name") is empty") }
      let address: SocketAddress
      do throws(IOError) {
        address =
          isPath ? try SocketAddress(unixPath: path) : try SocketAddress(abstractName: path)
      } catch {
        throw failure(
          "the \(isPath ? "path" : "name") of the unix socket cannot be used: \(error.code)")
      }
      endpoint = .addresses([address])
      authority = "localhost"
      description = "\(scheme):\(path)"
    case "ipv4", "ipv6":
      var addresses: [SocketAddress] = []
      for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
        let problem = "\"\(part)\" is not an \(scheme) address"
        let part = try Self.hostAndPort(part, of: text, otherwise: problem)
        guard
          let address = SocketAddress(
            numericHost: part.host, port: part.port ?? Self.defaultPort),
          (address.family == .ipv6) == (scheme == "ipv6")
        else { throw failure(problem) }
        addresses.append(address)
      }
      endpoint = .addresses(addresses)
      authority = addresses.first?.description ?? ""
      description = addresses.map(\.description).joined(separator: ",")
    case "dns", "":
      var name = rest
      if scheme == "dns", name.hasPrefix("//") {
        guard name.hasPrefix("///") else {
          throw failure("a name server in a dns: target is not supported; write dns:///host:port")
        }
        name = name.dropFirst(3)
      }
      var place = try Self.hostAndPort(name, of: text, otherwise: Self.forms)
      authority = place.description
      let port = place.port ?? Self.defaultPort
      place.port = port
      endpoint = .host(place.host, port: port)
      description = place.description
    default:
      throw failure("the scheme \"\(scheme):\" is unknown; \(Self.forms)")
    }
  }

  /// Returns the scheme before the first colon, if it is one; `localhost:50051` has none.
  private static func split(_ text: String) -> (scheme: String, rest: Substring) {
    guard let colon = text.firstIndex(of: ":") else { return ("", text[...]) }
    let scheme = text[..<colon]
    let rest = text[text.index(after: colon)...]
    let known = ["dns", "unix", "unix-abstract", "ipv4", "ipv6"]
    if known.contains(String(scheme)) || rest.hasPrefix("//") { return (String(scheme), rest) }
    return ("", text[...])
  }
}
