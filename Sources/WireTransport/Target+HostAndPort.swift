package import WireGRPC
import WireIO

// The host and the port of a target, and the errors about them.

extension Target {
  /// Reads a host and a port that are given separately.
  ///
  /// - Throws: a ``ConnectionFailure`` with the reason.
  package init(host: String, port: Int) throws(ConnectionFailure) {
    let isBracketed = host.first == "[" && host.last == "]"
    let bare = isBracketed ? String(host.dropFirst().dropLast()) : host
    let isAddress = Self.isIPv6(bare)
    guard isAddress || !isBracketed, let place = try? HostAndPort(isAddress ? "[\(bare)]" : host),
      isAddress || place.port == nil && place.host == host
    else {
      throw Self.failure(
        host.isEmpty ? "the host" : host,
        "the host must be a name, an IPv4 address or an IPv6 address, without a port; "
          + "Channel(target:) takes other forms")
    }
    guard let number = UInt16(exactly: port), number > 0 else {
      throw Self.failure(place.description, Self.outOfRange("\(port)"))
    }
    authority = HostAndPort(host: place.host, port: number).description
    endpoint = .host(place.host, port: number)
    description = authority
  }

  static let forms = "write it as host:port, dns:///host:port or unix:/path"

  /// Reads `host`, `host:port`, `[address]`, `[address]:port`, or an IPv6 address without brackets that
  /// cannot be read as one with a port.
  ///
  /// - Parameters:
  ///   - target: the whole text of the user.
  ///   - otherwise: the reason for an error that is neither about the port nor about brackets.
  static func hostAndPort(
    _ text: Substring, of target: String, otherwise: String
  ) throws(ConnectionFailure) -> HostAndPort {
    let place = try mapError(HostAndPort(text)) { (error: HostAndPort.Problem) in
      failure(target, error == .badPort ? portProblem(text) : otherwise)
    }
    if text.first != "[", let problem = bracketProblem(place.host) {
      throw failure(target, problem)
    }
    return place
  }

  /// Returns the error for a host with colons and no brackets; nil if it can only be an address.
  private static func bracketProblem(_ host: String) -> String? {
    guard let colon = host.lastIndex(of: ":") else { return nil }
    let address = String(host[..<colon])
    let port = host[host.index(after: colon)...]
    if isIPv6(address), isDigits(port), port.first != "0" {
      let withPort = "write [\(address)]:\(port)"
      guard isIPv6(host) else {
        return "an IPv6 address with a port requires brackets; \(withPort)"
      }
      return "ambiguous address: \(withPort), or [\(host)] without a port"
    }
    return isIPv6(host) ? nil : "it has colons and is not an IPv6 address; \(forms)"
  }

  private static func isIPv6(_ host: String) -> Bool {
    // The interface of a link-local address need not exist on this machine.
    let address = String(host.prefix { $0 != "%" })
    return SocketAddress(numericHost: address, port: 0)?.family == .ipv6
  }

  private static func portProblem(_ text: Substring) -> String {
    let port = text.lastIndex(of: ":").map { text[text.index(after: $0)...] } ?? ""
    guard isDigits(port) else {
      return "the port must be a number from 1 to 65535"
    }
    return outOfRange(String(port))
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func outOfRange(_ port: String) -> String {
    "the port \(port.shortened(to: 20)) is out of range; ports are 1 to 65535"
  }

  static func failure(_ target: String, _ detail: String) -> ConnectionFailure {
    ConnectionFailure(reason: .configuration, peer: shown(target), detail: detail)
  }

  /// Returns the text without the user and password before the host.
  private static func shown(_ text: String) -> String {
    if text.isEmpty { return "the target" }
    return text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
  }
}
