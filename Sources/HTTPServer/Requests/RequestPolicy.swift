/// Decides whether a request is answered, and sets the headers of each response.
struct RequestPolicy: Sendable {
  let key: String?
  private let address: NumericAddress
  private let hostNames: [String]
  private let imageSources: [String]
  let acceptsTaps: Bool

  static func checked(_ options: HTTPServerOptions) throws(HTTPServerError) -> RequestPolicy {
    guard let address = NumericAddress(options.host) else { throw .invalidAddress(options.host) }
    if let key = options.key {
      guard !key.isEmpty, key.utf8.allSatisfy(isKeyByte) else { throw .invalidKey }
    } else if !address.isLoopback, options.requiresKey {
      throw .keyMissing("\(address.urlHost):\(options.port)")
    }
    for source in options.imageSources {
      guard !source.isEmpty, source.utf8.allSatisfy(isOriginByte) else {
        throw .invalidImageSource(source)
      }
    }
    return RequestPolicy(
      key: options.key, address: address, hostNames: options.hostNames.map { $0.lowercased() },
      imageSources: options.imageSources, acceptsTaps: options.onTap != nil)
  }

  func url(port: UInt16) -> String {
    let host = address.isWildcard ? hostNames.first ?? "localhost" : address.urlHost
    let path = key.map { "\($0)/" } ?? ""
    return "http://\(host.contains(":") && !host.hasPrefix("[") ? host : "\(host):\(port)")/\(path)"
  }

  /// Prevents DNS rebinding: a page of another site whose name resolves to this server sends that
  /// name. Numeric addresses need no name, so a server for other machines accepts all of them.
  func allows(host header: String, port: UInt16) -> Bool {
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

  private static func numericAddress(_ host: String) -> NumericAddress? {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let address = NumericAddress(isBracketed ? String(host.dropFirst().dropLast()) : host)
    return address?.isIPv6 == isBracketed ? address : nil
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
