import WireGRPC

extension BinlogAddress {
  /// Creates an address from text such as "127.0.0.1:443", "[::1]:443" or "unix:/run/fleet.sock".
  init(_ peer: String) {
    if let place = try? HostAndPort(peer), let port = place.port {
      let isIPv6 = place.host.utf8.contains(UInt8(ascii: ":"))
      self.init(type: isIPv6 ? .ipv6 : .ipv4, address: place.host, ipPort: UInt32(port))
    } else if peer.hasPrefix("unix:") {
      self.init(type: .unix, address: String(peer.dropFirst("unix:".count)))
    } else if peer.hasPrefix("unix-abstract:") {
      self.init(type: .unix, address: "@" + peer.dropFirst("unix-abstract:".count))
    } else {
      self.init(type: .unknown, address: peer)
    }
  }
}
