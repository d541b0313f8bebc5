package import WireSystem

/// The address of a stream socket: IPv4 or IPv6 with a port, a unix path, or a name in Linux's abstract namespace.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
  package enum Family: Sendable, Hashable {
    case ipv4, ipv6, unix
  }

  package let family: Family
  /// The kernel's `sockaddr_in`, `sockaddr_in6` or `sockaddr_un`, byte for byte.
  private let bytes: [UInt8]

  /// Creates an address from numbers, such as `127.0.0.1`, `::1` or `fe80::1%eth0`; `nil` for any
  /// other text.
  ///
  /// Makes no query and does not block.
  package init?(numericHost: String, port: UInt16) {
    guard
      case .success(let found) = Resolver.lookUp(numericHost, port, flags: AI_NUMERICHOST),
      let first = found.first
    else { return nil }
    self = first
  }

  /// Creates the address of a unix socket.
  ///
  /// - Throws: `nameTooLong` if the path does not fit `sun_path` (107 bytes on Linux, 103 on
  ///   Darwin), and `noSuchFile` for an empty path or one with a NUL.
  package init(unixPath path: String) throws(IOError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw IOError(code: .noSuchFile, operation: Self.operation(path))
    }
    try self.init(unixBytes: Array(path.utf8) + [0], operation: Self.operation(path))
  }

  /// Creates the address of a unix socket in the abstract namespace (unix(7)).
  ///
  /// - Parameter name: without the NUL before it.
  /// - Throws: `nameTooLong` for more than 107 bytes, and EAFNOSUPPORT where there is no such namespace.
  package init(abstractName name: String) throws(IOError) {
    #if os(Linux)
      try self.init(unixBytes: [0] + Array(name.utf8), operation: Self.operation("@\(name)"))
    #else
      throw IOError(code: .init(rawValue: EAFNOSUPPORT), operation: Self.operation("@\(name)"))
    #endif
  }

  /// - Parameter path: `sun_path`.
  private init(unixBytes path: [UInt8], operation: String) throws(IOError) {
    guard Self.pathStart + path.count <= MemoryLayout<sockaddr_un>.size else {
      throw IOError(code: .nameTooLong, operation: operation)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    #if canImport(Darwin)
      address.sun_len = UInt8(Self.pathStart + path.count)
    #endif
    family = .unix
    bytes =
      unsafe withUnsafeBytes(of: address) { unsafe Array($0.prefix(Self.pathStart)) } + path
  }

  private static var pathStart: Int { MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2 }

  private static func operation(_ path: String) -> String { "use unix socket \(path)" }

  /// Copies an address of the kernel or the resolver; `nil` for an unsupported family.
  init?(_ address: UnsafePointer<sockaddr>, count: Int) {
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET: family = .ipv4
    case AF_INET6: family = .ipv6
    case AF_UNIX: family = .unix
    default: return nil
    }
    bytes = unsafe Array(UnsafeRawBufferPointer(start: address, count: count))
  }

  /// The address of one end of a socket, by `getsockname` or `getpeername`.
  init(
    operation: String,
    by ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(IOError) {
    var storage = sockaddr_storage()
    var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var failure: IOError?
    let address = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        address -> SocketAddress? in
        guard unsafe ask(address, &count) == 0 else {
          failure = IOError(operation: operation)
          return nil
        }
        return unsafe SocketAddress(address, count: Int(count))
      }
    }
    if let failure { throw failure }
    guard let address else {
      throw IOError(code: .init(rawValue: EAFNOSUPPORT), operation: operation)
    }
    self = address
  }

  /// The port; `nil` for a unix socket.
  package var port: UInt16? {
    // Both `sin_port` and `sin6_port` are two big-endian bytes at offset 2.
    family == .unix || bytes.count < 4 ? nil : UInt16(bytes[2]) << 8 | UInt16(bytes[3])
  }

  /// The four bytes of an IPv4 address or the sixteen of an IPv6 one; `nil` for a unix socket.
  package var ipAddress: [UInt8]? {
    // `sin_addr` follows the port, `sin6_addr` the port and the flow label.
    switch family {
    case .ipv4: Array(bytes.dropFirst(4).prefix(4))
    case .ipv6: Array(bytes.dropFirst(8).prefix(16))
    case .unix: nil
    }
  }

  /// The IPv4 address in an IPv4-mapped IPv6 address such as `::ffff:127.0.0.1` (RFC 4291, section
  /// 2.5.5.2); any other address unchanged.
  var unmapped: SocketAddress {
    guard family == .ipv6, let octets = ipAddress, let port,
      octets.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
    else { return self }
    let host = octets.suffix(4).map { "\($0)" }.joined(separator: ".")
    return SocketAddress(numericHost: host, port: port) ?? self
  }

  /// The path of a unix socket; empty if it has no path, `nil` for other sockets.
  package var unixPath: String? {
    guard family == .unix else { return nil }
    return String(decoding: bytes.dropFirst(Self.pathStart).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The name of a unix socket in the abstract namespace; `nil` for other sockets.
  private var abstractName: String? {
    let path = bytes.dropFirst(Self.pathStart)
    guard family == .unix, path.first == 0, path.count > 1 else { return nil }
    return String(decoding: path.dropFirst(), as: UTF8.self)
  }

  /// The numeric host without port or brackets ("127.0.0.1", "::1"), or the path or the name of a unix socket.
  package var host: String {
    if let path = abstractName ?? unixPath { return path }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
      let status = unsafe withSockaddr { address, count in
        unsafe getnameinfo(
          address, count, text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      }
      guard status == 0, let start = text.baseAddress else { return "?" }
      return unsafe String(cString: start)
    }
  }

  /// "127.0.0.1:50051", "[::1]:443", "unix:/run/fleet.sock" or "unix-abstract:fleet"
  package var description: String {
    switch family {
    case .ipv4: "\(host):\(port ?? 0)"
    case .ipv6: "[\(host)]:\(port ?? 0)"
    case .unix: (abstractName == nil ? "unix:" : "unix-abstract:") + host
    }
  }

  /// The `AF_…` number.
  var protocolFamily: Int32 {
    switch family {
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    case .unix: AF_UNIX
    }
  }

  /// Passes the address to a system call.
  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe storage.copyBytes(from: bytes.prefix(storage.count))
    }
    return unsafe withUnsafePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(bytes.count))
      }
    }
  }
}
