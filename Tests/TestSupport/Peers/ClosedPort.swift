import WireSystem

/// Ports of the loopback addresses that refuse connections.
///
/// A socket is bound to each one, does not listen, and stays open until the process ends. A port
/// that is merely free can go to the server of another test at any time, which would then get an
/// unexpected connection.
public enum ClosedPort {
  /// A port of 127.0.0.1.
  public static let ipv4 = reserve(AF_INET)
  /// Another port of 127.0.0.1.
  public static let otherIPv4 = reserve(AF_INET)
  /// A port of ::1.
  public static let ipv6 = reserve(AF_INET6)

  /// Reserves the port of 127.0.0.1 of a listener that has just been closed.
  public static func keep(_ port: UInt16) { _ = reserve(AF_INET, port) }

  /// Reserves a port, by default any free one. Returns 0 if it cannot be bound.
  private static func reserve(_ family: Int32, _ port: UInt16 = 0) -> UInt16 {
    #if canImport(Glibc)
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    // Connections of the former listener may still exist.
    var reuses: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    address.sin6_family = sa_family_t(family)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return withUnsafeMutableBytes(of: &address) { bytes in
      if family == AF_INET {
        // The port has the same offset in both structures.
        bytes.storeBytes(of: INADDR_LOOPBACK.bigEndian, toByteOffset: 4, as: in_addr_t.self)
        size = socklen_t(MemoryLayout<sockaddr_in>.size)
      }
      return bytes.withMemoryRebound(to: sockaddr.self) { address in
        guard let start = address.baseAddress, bind(descriptor, start, size) == 0,
          getsockname(descriptor, start, &size) == 0
        else { return 0 }
        return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: in_port_t.self))
      }
    }
  }
}
