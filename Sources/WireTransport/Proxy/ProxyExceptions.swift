import WireGRPC
import WireIO

/// The hosts that a `no_proxy` lists, separated by commas or spaces, as curl and gRPC's C core agree on
/// them, and with `*`, which the one has alone, and `:port`, which Go has:
///
/// - `fleet.example`, `.fleet.example` or `*.fleet.example`: this host and those below it
/// - `10.1.2.3`, `::1`: this address; `10.0.0.0/8`, `fd00::/8`: those of this network
/// - any of the first two kinds with `:port`: at this port only
/// - `*`: all
///
/// Names are compared with no regard to case and a final dot. What is none of these excepts nothing.
package struct ProxyExceptions {
  private let entries: [Substring]

  package init(_ list: String) {
    entries = list.split { $0 == "," || $0.isWhitespace }
  }

  package func contains(_ host: String, port: UInt16) -> Bool {
    let host = Self.normal(host)
    let address = Self.address(host)
    return entries.contains { Self.matches($0, host, address, port) }
  }

  /// Whether it is the loopback by its name (RFC 6761 §6.3) or address.
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
    // A number has no hosts below it.
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

  /// The bytes of an address in numbers; those of IPv4 also when it is mapped into IPv6.
  private static func address(_ host: String) -> [UInt8]? {
    guard let bytes = SocketAddress(numericHost: host, port: 0)?.ipAddress else { return nil }
    let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes.dropFirst(12)) : bytes
  }
}
