import WireGRPC
import WireIO

/// The hosts in `no_proxy`, separated by commas or spaces. The forms are those of curl and gRPC's C core,
/// with `*` as in curl and `:port` as in Go:
///
/// - `fleet.example`, `.fleet.example` or `*.fleet.example`: this host and its subdomains
/// - `10.1.2.3`, `::1`: this address; `10.0.0.0/8`, `fd00::/8`: those of this network
/// - any of the first two kinds with `:port`: at this port only
/// - `*`: all
///
/// Names are compared without regard to case and to a final dot. Any other text matches nothing.
package struct ProxyExceptions {
  private let entries: [Substring]

  init(_ list: String) {
    entries = list.split { $0 == "," || $0.isWhitespace }
  }

  func contains(_ host: String, port: UInt16) -> Bool {
    let host = Self.normal(host)
    let address = Self.address(host)
    return entries.contains { Self.matches($0, host, address, port) }
  }

  /// Whether the host is the loopback, by name (RFC 6761 §6.3) or by address.
  package static func isLoopback(_ host: String) -> Bool {
    let host = normal(host)
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    guard let address = address(host) else { return false }
    return address.count == 4
      ? address[0] == 127 : address == [UInt8](repeating: 0, count: 15) + [1]
  }

  private static func matches(
    _ entry: Substring, _ host: String, _ address: [UInt8]?, _ port: UInt16
  ) -> Bool {
    if entry == "*" { return true }
    if let slash = entry.firstIndex(of: "/") {
      guard let address, let network = Self.address(normal(entry[..<slash])),
        let length = Int(entry[entry.index(after: slash)...])
      else { return false }
      return isIn(address, network, length)
    }
    guard let place = try? HostAndPort(entry), place.port ?? port == port else { return false }
    let name = place.host
    if let other = Self.address(normal(name)) { return other == address }
    // An address has no subdomains.
    guard address == nil else { return false }
    let suffix = name.hasPrefix("*.") ? name.dropFirst() : name[...]
    let domain = normal(suffix.hasPrefix(".") ? suffix.dropFirst() : suffix)
    return host == domain || host.hasSuffix("." + domain)
  }

  private static func isIn(_ address: [UInt8], _ network: [UInt8], _ length: Int) -> Bool {
    guard address.count == network.count, (0...address.count * 8).contains(length) else {
      return false
    }
    let whole = length / 8
    guard address[..<whole] == network[..<whole] else { return false }
    let bits = length % 8
    return bits == 0 || (address[whole] ^ network[whole]) >> UInt8(8 - bits) == 0
  }

  private static func normal(_ host: some StringProtocol) -> String {
    let host = host.lowercased()
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  /// The bytes of a numeric address. An IPv4 address that is mapped into IPv6 has four.
  private static func address(_ host: String) -> [UInt8]? {
    guard let bytes = SocketAddress(numericHost: host, port: 0)?.ipAddress else { return nil }
    let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.dropFirst(12)) : bytes
  }
}
