package import HTTPServer
import WireGRPC
import WireIO
import WireTransport

/// The address at which a page or metrics are served.
package struct PageAddress: Sendable {
  /// A numeric address; "" for all addresses of this machine.
  package var host = "127.0.0.1"
  /// 0 for any free port.
  package var port: UInt16 = 0

  var isLoopback: Bool { ProxyExceptions.isLoopback(host) }

  /// "0.0.0.0:8080", ":8080".
  var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

extension HTTPServerOptions {
  package mutating func listen(at address: PageAddress) {
    host = address.host.isEmpty ? "0.0.0.0" : address.host
    port = address.port
  }
}

extension Parse {
  static func pageAddress(_ text: String) throws(InvalidValue) -> PageAddress {
    _ = try listenAddress(text)
    guard !text.hasPrefix(":") else {
      return PageAddress(host: "", port: UInt16(text.dropFirst()) ?? 0)
    }
    guard let address = try? HostAndPort(text, lowestPort: 0) else {
      throw InvalidValue("expected HOST:PORT, such as 127.0.0.1:8080")
    }
    let host = address.host == "localhost" ? "127.0.0.1" : address.host
    let numeric = SocketAddress(numericHost: host, port: 0)?.host
    return PageAddress(host: numeric ?? host, port: UInt16(address.port ?? 0))
  }
}
