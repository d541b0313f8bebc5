import WireIO

/// Decides whether a request is answered, and sets the headers of each response.
struct RequestPolicy: Sendable {
  let key: String?
  /// With the port of the options.
  let address: SocketAddress
  private let hostNames: [String]
  private let imageSources: [String]
  let handled: RequestHandler.Scope?

  static func checked(_ options: HTTPServerOptions) throws(HTTPServerError) -> RequestPolicy {
    guard let address = SocketAddress(plainHost: options.host, port: options.port) else {
      throw .invalidAddress(options.host)
    }
    if let key = options.key {
      guard !key.isEmpty, key.utf8.allSatisfy(isKeyByte) else { throw .invalidKey }
    } else if !address.isLoopback, options.requiresKey {
      throw .keyMissing("\(address)")
    }
    for source in options.imageSources {
      guard !source.isEmpty, source.utf8.allSatisfy(isOriginByte) else {
        throw .invalidImageSource(source)
      }
    }
    return RequestPolicy(
      key: options.key, address: address, hostNames: options.hostNames.map { $0.lowercased() },
      imageSources: options.imageSources, handled: options.handler?.scope)
  }

  /// - Parameter bound: the address with the port that the system chose.
  func url(_ bound: SocketAddress) -> String {
    var authority = bound.description
    if address.isWildcard {
      let name = hostNames.first ?? "localhost"
      authority = name.contains(":") && !name.hasPrefix("[") ? name : "\(name):\(bound.port ?? 0)"
    }
    return "http://\(authority)/" + (key.map { "\($0)/" } ?? "")
  }

  /// Prevents DNS rebinding: a page of another site whose name resolves to this server sends that
  /// name. Numeric addresses need no name, so a server for other machines accepts all of them. Without a key it accepts
  /// all names, too, because its files are for everyone.
  func allows(host header: String, port: UInt16) -> Bool {
    if key == nil, !address.isLoopback { return true }
    let header = header.lowercased()
    if hostNames.contains(header) { return true }
    guard let host = Self.host(of: header, port: port) else { return false }
    if hostNames.contains(host) || host == "localhost" { return true }
    guard let numeric = Self.numericAddress(host) else { return false }
    return numeric.isLoopback || !address.isLoopback
  }

  /// Returns the header without the port, or nil if the port is another one.
  private static func host(of header: String, port: UInt16) -> String? {
    let suffix = ":\(port)"
    if header.hasSuffix(suffix) { return String(header.dropLast(suffix.utf8.count)) }
    return port == 80 ? header : nil
  }

  private static func numericAddress(_ host: String) -> SocketAddress? {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let address = SocketAddress(plainHost: isBracketed ? String(host.dropFirst().dropLast()) : host)
    return address?.family == (isBracketed ? .ipv6 : .ipv4) ? address : nil
  }

  /// The headers of all responses.
  var headers: [(name: String, value: String)] {
    let images = ["'self'", "data:"] + imageSources
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'",
      "img-src \(images.joined(separator: " "))", "connect-src 'self'", "base-uri 'none'",
      "form-action 'none'", "frame-ancestors 'none'",
    ]
    return [
      ("Content-Security-Policy", policy.joined(separator: "; ")),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cache-Control", "no-store"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }
}

extension SocketAddress {
  /// Nil for anything but an IPv4 or IPv6 address in its usual form. getaddrinfo also accepts "127.1" and
  /// the zone of an IPv6 address.
  fileprivate init?(plainHost host: String, port: UInt16 = 0) {
    guard let address = SocketAddress(numericHost: host, port: port),
      address.family == .ipv6 ? !host.utf8.contains(UInt8(ascii: "%")) : address.host == host
    else { return nil }
    self = address
  }

  fileprivate var isLoopback: Bool {
    guard let bytes = ipAddress, family == .ipv6 else { return ipAddress?.first == 127 }
    // ::ffff:127.0.0.1 is an IPv4 address (RFC 4291 §2.5.5.2).
    let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127]
    return bytes.starts(with: mapped) || bytes == [UInt8](repeating: 0, count: 15) + [1]
  }

  /// Whether it means all addresses of the machine.
  fileprivate var isWildcard: Bool { ipAddress?.allSatisfy { $0 == 0 } ?? false }
}

private func isKeyByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
    true
  default: false
  }
}

/// No byte that ends a source or a directive of a Content-Security-Policy.
private func isOriginByte(_ byte: UInt8) -> Bool {
  isKeyByte(byte) || ".:/*[]".utf8.contains(byte)
}
