package import WireIO
import WireSystem

/// A blocking TCP client of 127.0.0.1 or ::1. Reads and writes time out after ten minutes.
package final class RawClient {
  package struct TimedOut: Error {}
  package struct Refused: Error {}

  private let descriptor: Int32
  #if canImport(Darwin)
    private let noSignal: Int32 = 0
  #else
    private let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  package init(_ address: SocketAddress) throws(Refused) {
    let isIPv6 = address.family == .ipv6
    #if canImport(Glibc)
      descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0)
    #endif
    var timeout = timeval(tv_sec: 600, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    let port = (address.port ?? 0).bigEndian
    let status = isIPv6 ? dialIPv6(port) : dialIPv4(port)
    guard status == 0 else { throw Refused() }
  }

  private func dialIPv4(_ port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return dial(&address)
  }

  private func dialIPv6(_ port: UInt16) -> Int32 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port
    withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
    return dial(&address)
  }

  private func dial<Address>(_ address: inout Address) -> Int32 {
    withUnsafeBytes(of: &address) { bytes in
      guard let pointer = bytes.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
      return connect(descriptor, pointer, socklen_t(bytes.count))
    }
  }

  deinit {
    close(descriptor)
  }

  /// Returns false if the server has closed.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, noSignal)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns the bytes that the server sends next; empty if it closed or reset the connection.
  package func read() throws(TimedOut) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { throw TimedOut() }
    return Array(buffer.prefix(max(count, 0)))
  }

  /// Reads until the server closes.
  package func readToEnd() throws(TimedOut) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try read()
      guard !bytes.isEmpty else { return all }
      all += bytes
    }
  }

  package func finishWriting() {
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
