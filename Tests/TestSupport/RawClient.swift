import WireSystem

@testable import WireIO
@testable import WireSystem

/// A blocking TCP client of 127.0.0.1 or ::1 that sends what a test says. Gives up on a silent server
/// after ten minutes.
final class RawClient {
  struct Silence: Error {}

  private let descriptor: Int32
  #if canImport(Darwin)
    private let noSignal: Int32 = 0
  #else
    private let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  init(_ address: SocketAddress) throws(IOError) {
    let family = address.family == .ipv6 ? AF_INET6 : AF_INET
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 600, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    let status = address.withSockaddr { connect(descriptor, $0, $1) }
    guard status == 0 else {
      throw IOError(code: .init(rawValue: errno), operation: "connect to \(address)")
    }
  }

  deinit {
    close(descriptor)
  }

  /// False when the server has gone.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
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

  /// What the server sends next; empty when it has closed or dropped the connection.
  func read() throws(Silence) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { throw Silence() }
    return Array(buffer.prefix(max(count, 0)))
  }

  /// Reads until the server closes.
  func readToEnd() throws(Silence) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try read()
      guard !bytes.isEmpty else { return all }
      all += bytes
    }
  }

  func finishWriting() {
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
