package import CommandLine
import CommandShell
package import HTTPServer
import WireGRPC
import WireIO
import WireTransport

package struct PageAddress: Sendable {
  /// A numeric address; "" for all addresses of this machine.
  package var host: String
  /// 0 for any free port.
  package var port: UInt16

  package init(host: String = "127.0.0.1", port: UInt16 = 0) {
    self.host = host
    self.port = port
  }

  package var isLoopback: Bool { ProxyExceptions.isLoopback(host) }

  /// Returns an error if other machines can reach the address of an option without --allow-remote.
  package func refusal(by option: String, _ allowsRemote: Bool) -> UsageError? {
    guard !isLoopback, !allowsRemote else { return nil }
    return UsageError(
      message: "\(option) \(escaped(text)): other machines can reach this address, which requires"
        + " --allow-remote",
      hint: "use 127.0.0.1, or add --allow-remote")
  }

  /// "0.0.0.0:8080", ":8080".
  private var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

extension HTTPServerOptions {
  package mutating func listen(at address: PageAddress) {
    host = address.host.isEmpty ? "0.0.0.0" : address.host
    port = address.port
  }
}

extension Parse {
  package static func pageAddress(_ text: String) throws(InvalidValue) -> PageAddress {
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
