/// Which part of a request goes into `x-goog-request-params` (google.api.routing, AIP-4222).
///
/// The template names the parameter and the segments it matches: with the template
/// `{provider_id=providers/*}` the name `providers/p1/trips/t1` gives
/// `provider_id=providers%2Fp1`.
public struct RoutingRule<Request>: Sendable {
  /// The name of the field that is matched, "name" or "parent".
  public let field: String
  /// The parameter's name and its segments in braces, `{provider_id=providers/*}`.
  public let template: String
  /// Reads the field out of a request.
  public let value: @Sendable (Request) -> String

  public init(field: String, template: String, value: @escaping @Sendable (Request) -> String) {
    self.field = field
    self.template = template
    self.value = value
  }

  /// The value of `x-goog-request-params` for a request; nil when the field does not match.
  ///
  /// The match starts at the beginning of the field and need not reach its end, as in the Go
  /// and Node clients of Google's own: the names of trips and vehicles go on after the provider.
  public func parameter(for request: Request) -> String? {
    guard template.first == "{", template.last == "}",
      let equals = template.firstIndex(of: "=")
    else { return nil }
    let key = template[template.index(after: template.startIndex)..<equals]
    let pattern = template[template.index(after: equals)...].dropLast()
      .split(separator: "/", omittingEmptySubsequences: false)
    let segments = value(request).split(separator: "/", omittingEmptySubsequences: false)

    var matched: [Substring] = []
    for (index, wanted) in pattern.enumerated() {
      if wanted == "**" {
        matched += segments.dropFirst(index)
        break
      }
      guard index < segments.count, !segments[index].isEmpty,
        wanted == "*" || wanted == segments[index]
      else { return nil }
      matched.append(segments[index])
    }
    return key + "=" + matched.joined(separator: "/").percentEncoded(keeping: Self.isUnreserved)
  }

  /// Letters, digits and four marks: what RFC 3986 §2.3 calls unreserved.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
