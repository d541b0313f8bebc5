/// The CONNECT request for a tunnel to a server (RFC 9110 §9.3.6).
package struct ConnectRequest {
  let proxy: Proxy
  /// "host:port", which the proxy resolves and connects to.
  package let target: String
  let userAgent: String

  package init(proxy: Proxy, target: String, userAgent: String) {
    self.proxy = proxy
    self.target = target
    self.userAgent = userAgent
  }

  /// None of these contains a line end; the initializers of their types check that.
  var bytes: [UInt8] {
    var lines = [
      "CONNECT \(target) HTTP/1.1", "Host: \(target)", "User-Agent: \(userAgent)",
    ]
    if let authorization = proxy.authorization {
      lines.append("Proxy-Authorization: \(authorization)")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
