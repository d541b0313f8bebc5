/// The part of a request that goes into `x-goog-request-params` (google.api.routing, AIP-4222).
///
/// The template names the parameter and the segments to match. With the template
/// `{provider_id=providers/*}`, the name `providers/p1/trips/t1` gives
/// `provider_id=providers%2Fp1`.
public struct RoutingRule<Request>: Sendable {
  /// The name of the matched field, "name" or "parent".
  public let field: String
  /// The name of the parameter and its segments in braces, `{provider_id=providers/*}`.
  public let template: String
  /// Returns the value of the field in a request.
  public let value: @Sendable (Request) -> String
  /// The parsed template; nil if it is invalid.
  private let parts: (key: [UInt8], segments: [Segment])?

  private enum Segment {
    /// `*`
    case any
    /// `**`
    case rest
    case literal([UInt8])

    init(_ text: Substring.UTF8View) {
      self =
        switch Substring(text) {
        case "*": .any
        case "**": .rest
        default: .literal(Array(text))
        }
    }

    func matches(_ octets: Substring.UTF8View) -> Bool {
      if case .literal(let literal) = self { octets.elementsEqual(literal) } else { true }
    }
  }

  public init(field: String, template: String, value: @escaping @Sendable (Request) -> String) {
    self.field = field
    self.template = template
    self.value = value
    let inner = template.utf8.dropFirst().dropLast()
    guard template.utf8.first == UInt8(ascii: "{"), template.utf8.last == UInt8(ascii: "}"),
      let equals = inner.firstIndex(of: UInt8(ascii: "="))
    else {
      parts = nil
      return
    }
    let pattern = inner[inner.index(after: equals)...]
    let segments = pattern.split(separator: slash, omittingEmptySubsequences: false)
    parts = (Array(inner[...equals]), segments.map { Segment($0[...]) })
  }

  /// Returns the value of `x-goog-request-params` for a request, or nil if the field does not
  /// match.
  ///
  /// The match starts at the beginning of the field but need not reach its end, as in Google's Go
  /// and Node clients: the names of trips and vehicles continue after the provider.
  public func parameter(for request: Request) -> String? {
    guard let parts else { return nil }
    let value = value(request)
    let octets = value.utf8
    // The end of the match.
    var end = octets.startIndex
    for (index, wanted) in parts.segments.enumerated() {
      if case .rest = wanted {
        end = octets.endIndex
        break
      }
      if index > 0 {
        guard end < octets.endIndex else { return nil }
        octets.formIndex(after: &end)
      }
      let segment = octets[end...].prefix { $0 != slash }
      guard !segment.isEmpty, wanted.matches(segment) else { return nil }
      end = segment.endIndex
    }
    let encoded = octets[..<end].percentEncoded(keeping: Self.isUnreserved)
    return String(decoding: parts.key + encoded, as: UTF8.self)
  }

  /// The unreserved characters of RFC 3986 §2.3.
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

private let slash = UInt8(ascii: "/")
