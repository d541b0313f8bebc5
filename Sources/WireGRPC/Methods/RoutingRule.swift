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
  /// The template, taken apart; nil when it has not this form.
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

  /// The value of `x-goog-request-params` for a request; nil when the field does not match.
  ///
  /// The match starts at the beginning of the field and need not reach its end, as in the Go
  /// and Node clients of Google's own: the names of trips and vehicles go on after the provider.
  public func parameter(for request: Request) -> String? {
    guard let parts else { return nil }
    let value = value(request)
    let octets = value.utf8
    // Where the match ends.
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

private let slash = UInt8(ascii: "/")
