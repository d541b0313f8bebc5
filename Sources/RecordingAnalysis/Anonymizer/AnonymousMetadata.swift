import Recording

/// Copies well-known metadata whose values identify nobody.
struct AnonymousMetadata {
  private let omissions: Omissions

  init(_ omissions: Omissions) { self.omissions = omissions }

  /// Names that may be reported although their values are left out.
  private static let wellKnown: Set<String> = [
    "alt-svc", "authorization", "content-disposition", "cookie", "date", "grpc-trace-bin", "server",
    "traceparent", "tracestate", "user-agent", "vary", "via", "x-cloud-trace-context",
    "x-content-type-options",
    "x-forwarded-for", "x-frame-options", "x-goog-api-key", "x-goog-fieldmask",
    "x-goog-user-project", "x-request-id", "x-xss-protection",
  ]

  /// The languages and libraries in `x-goog-api-client`.
  private static let products: Set<String> = [
    "gapic", "gax", "gccl", "gdcl", "gl-cpp", "gl-dart", "gl-dotnet", "gl-go", "gl-java", "gl-js",
    "gl-kotlin", "gl-node", "gl-objc", "gl-php", "gl-python", "gl-ruby", "gl-rust", "gl-swift",
    "grpc", "grpc-web", "pb", "rest",
  ]

  /// Returns the value of the copy; nil to leave it out.
  func copy(_ name: String, _ value: [UInt8], _ names: inout AnonymousNames) -> [UInt8]? {
    let text = String(decoding: value.prefix(1 << 14), as: UTF8.self)
    var copy: String?
    switch name {
    case "x-goog-request-params":
      copy = parts(of: text, "&", name, names.replace(requestParameters: text))
    case "google-cloud-resource-prefix": copy = names.replace(resource: text, orID: .provider)
    case "x-goog-api-client":
      let known = text.split(separator: " ").filter(Self.isProduct).joined(separator: " ")
      copy = parts(of: text, " ", name, known)
    case "grpc-previous-rpc-attempts", "grpc-retry-pushback-ms", "retry-after":
      copy = Self.isNumber(text) ? text : nil
    case ReplayMiss.trailer: copy = ReplayMiss(rawValue: text)?.rawValue
    case "server-timing":
      // From Google's front end: "gfet4t7; dur=56".
      let isTime = text.hasPrefix("gfet4t7; dur=") && Self.isNumber(text.dropFirst(13))
      copy = isTime ? text : nil
    case _ where Self.wellKnown.contains(name): copy = nil
    default:
      omissions.add("unknown metadata")
      return nil
    }
    if copy == nil { omissions.add("metadata \(name)") }
    return copy.map { Array($0.utf8) }
  }

  /// Returns the copy of a value, nil if it is empty. Missing parts are counted as omissions.
  private func parts(
    of text: String, _ separator: Character, _ name: String, _ copy: String
  ) -> String? {
    if copy.isEmpty { return nil }
    let (all, left) = (text.split(separator: separator), copy.split(separator: separator))
    if all.count > left.count { omissions.add("parts of \(name)", all.count - left.count) }
    return copy
  }

  private static func isProduct(_ text: Substring) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && products.contains(String(parts[0])) && isVersion(parts[1])
  }

  /// Whether the text is like "1.60.0", and not longer than versions are.
  private static func isVersion(_ text: Substring) -> Bool {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count <= 4 && numbers.allSatisfy { $0.utf8.count <= 4 && isNumber($0) }
  }

  private static func isNumber(_ text: some StringProtocol) -> Bool {
    (1...6).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
