#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Ports of the loopback addresses that refuse connections.
///
/// A socket is bound to each one, does not listen, and stays open until the process ends. A port that
/// is merely free can be given to the server of another test at any time; that server then gets a
/// connection it does not expect.
public enum ClosedPort {
  /// A port of 127.0.0.1.
  public static let ipv4 = reserve(AF_INET)
  /// Another port of 127.0.0.1.
  public static let otherIPv4 = reserve(AF_INET)
  /// A port of ::1.
  public static let ipv6 = reserve(AF_INET6)

  /// Returns the port, or 0 if none could be bound.
  private static func reserve(_ family: Int32) -> UInt16 {
    #if canImport(Glibc)
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    address.sin6_family = sa_family_t(family)
    address.sin6_addr = in6addr_loopback
    return withUnsafeMutableBytes(of: &address) { bytes in
      if family == AF_INET {
        // The port is in the same place in both structures.
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
