import WireSystem

/// A bound socket that listens. Whoever takes the descriptor closes it.
struct ListeningSocket: Sendable {
  let descriptor: Int32
  let port: UInt16

  init(host: String, port: UInt16) throws(HTTPServerError) {
    guard let address = NumericAddress(host) else { throw .invalidAddress(host) }
    let name = "\(address.urlHost):\(port)"
    let descriptor = SystemCalls.streamSocket(address.isIPv6 ? AF_INET6 : AF_INET)
    guard descriptor != -1 else { throw Self.error(name) }
    _ = SystemCalls.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if address.isIPv6 {
      // `::` accepts IPv4, too.
      _ = SystemCalls.setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
    }
    guard address.bind(descriptor, port), listen(descriptor, 1024) == 0,
      let bound = Self.port(of: descriptor)
    else {
      let error = Self.error(name)
      closeDescriptor(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = bound
  }

  private static func error(_ address: String) -> HTTPServerError {
    let code = IOError.Code(rawValue: errno)
    return code == .addressInUse ? .addressInUse(address) : .cannotListen(address, code)
  }

  /// The ports of IPv4 and IPv6 addresses are at the same place.
  private static func port(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    return status == 0 ? UInt16(bigEndian: address.sin6_port) : nil
  }
}

/// An IPv4 or IPv6 address in numbers.
struct NumericAddress: Sendable {
  private let ipv4: in_addr
  private let ipv6: in6_addr
  let isIPv6: Bool
  /// As in a URL: IPv6 has brackets.
  let urlHost: String

  init?(_ text: String) {
    var ipv4 = in_addr()
    var ipv6 = in6_addr()
    if unsafe inet_pton(AF_INET, text, &ipv4) == 1 {
      isIPv6 = false
      urlHost = text
    } else if unsafe inet_pton(AF_INET6, text, &ipv6) == 1 {
      isIPv6 = true
      urlHost = "[\(text)]"
    } else {
      return nil
    }
    self.ipv4 = ipv4
    self.ipv6 = ipv6
  }

  private var ipv6Bytes: [UInt8] { unsafe withUnsafeBytes(of: ipv6) { unsafe Array($0) } }

  var isLoopback: Bool {
    guard isIPv6 else { return UInt32(bigEndian: ipv4.s_addr) >> 24 == 127 }
    // ::ffff:127.0.0.1 is an IPv4 address (RFC 4291 §2.5.5.2).
    let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127]
    return ipv6Bytes.starts(with: mapped)
      || ipv6Bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether it means all addresses of the machine.
  var isWildcard: Bool {
    isIPv6 ? ipv6Bytes.allSatisfy { $0 == 0 } : ipv4.s_addr == 0
  }

  func bind(_ descriptor: Int32, _ port: UInt16) -> Bool {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = ipv6
      return Self.bind(descriptor, &address)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = ipv4
    return Self.bind(descriptor, &address)
  }

  private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
    let size = socklen_t(MemoryLayout<Address>.size)
    return unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe systemBind(descriptor, $0, size)
      }
    }
  }
}

private func systemBind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Bool {
  unsafe bind(descriptor, address, size) == 0
}
