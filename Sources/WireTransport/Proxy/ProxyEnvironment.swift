import WireSystem

/// Finds the proxy for a target in the environment.
///
/// `grpc_proxy`, `https_proxy` and `http_proxy` are read in this order, with or without TLS to the
/// target (gRFC A1). The first one that is set applies; an empty one means no proxy.
/// `no_grpc_proxy`, or else `no_proxy`, lists exceptions. Names in upper case are also read, except
/// `HTTP_PROXY`: a web server sets `HTTP_PROXY` for its CGI programs from the header `Proxy` of a
/// request.
package struct ProxyEnvironment {
  private let value: (String) -> String?

  init(_ value: @escaping (String) -> String?) {
    self.value = value
  }

  package static var process: ProxyEnvironment {
    ProxyEnvironment { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// Returns the proxy for a host; nil for none. Loopback hosts have none, as in Go.
  ///
  /// - Throws: why a variable is invalid.
  package func proxy(for host: String, port: UInt16) throws(ProxyURLError) -> Proxy? {
    guard let (name, url) = first(["grpc_proxy", "https_proxy", "http_proxy"]), !url.isEmpty,
      !ProxyExceptions.isLoopback(host)
    else { return nil }
    let exceptions = first(["no_grpc_proxy", "no_proxy"])?.value ?? ""
    if ProxyExceptions(exceptions).contains(host, port: port) { return nil }
    do throws(ProxyURLError) {
      return try Proxy(url)
    } catch {
      throw ProxyURLError("the proxy in \(name) cannot be used: \(error.reason)")
    }
  }

  private func first(_ names: [String]) -> (name: String, value: String)? {
    for name in names {
      if let value = value(name) { return (name, value) }
      guard name != "http_proxy" else { continue }
      if let value = value(name.uppercased()) { return (name.uppercased(), value) }
    }
    return nil
  }
}
