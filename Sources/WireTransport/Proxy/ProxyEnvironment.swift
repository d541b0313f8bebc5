import WireSystem

/// Which proxy the environment names for a target.
///
/// `grpc_proxy`, `https_proxy` and `http_proxy` are asked in this order, whether or not the target is
/// spoken to in TLS (gRFC A1); the first that is set counts, and one that is empty says: none.
/// `no_grpc_proxy`, or else `no_proxy`, lists exceptions. Each may be in capitals, too, except
/// `http_proxy`: a server sets `HTTP_PROXY` for its CGI programs from a request's header `Proxy`.
package struct ProxyEnvironment {
  private let value: (String) -> String?

  /// - Parameter value: looks up a variable.
  package init(_ value: @escaping (String) -> String?) {
    self.value = value
  }

  /// That of this process.
  package static var process: ProxyEnvironment {
    ProxyEnvironment { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  /// The proxy for a host, or nil for none. Loopback hosts have none, as with Go's clients.
  ///
  /// - Throws: what is wrong with a variable.
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
