/// The parsed template of a ``RoutingRule``.
///
/// Not generic, because the compiler does not specialize it for each request, and every call comes here.
struct RoutingTemplate: Sendable {
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

    func matches(_ octets: ArraySlice<UInt8>) -> Bool {
      if case .literal(let literal) = self { octets.elementsEqual(literal) } else { true }
    }
  }

  /// The name of the parameter and "=".
  private let key: [UInt8]
  private let segments: [Segment]

  /// Returns nil if the template is invalid.
  init?(_ template: String) {
    let inner = template.utf8.dropFirst().dropLast()
    guard template.utf8.first == UInt8(ascii: "{"), template.utf8.last == UInt8(ascii: "}"),
      let equals = inner.firstIndex(of: UInt8(ascii: "="))
    else { return nil }
    let pattern = inner[inner.index(after: equals)...]
    key = Array(inner[...equals])
    segments = pattern.split(separator: slash, omittingEmptySubsequences: false)
      .map { Segment($0[...]) }
  }

  /// Returns the parameter for the value of the field, or nil if it does not match.
  func parameter(for value: String) -> String? {
    let octets = Array(value.utf8)
    // The end of the match.
    var end = 0
    for index in segments.indices {
      let wanted = segments[index]
      if case .rest = wanted {
        end = octets.count
        break
      }
      if index > 0 {
        guard end < octets.count else { return nil }
        end += 1
      }
      let start = end
      while end < octets.count, octets[end] != slash { end += 1 }
      guard end > start, wanted.matches(octets[start..<end]) else { return nil }
    }
    let encoded = octets[..<end].percentEncoded { $0.isUnreserved }
    return String(decoding: key + encoded, as: UTF8.self)
  }
}

private let slash = UInt8(ascii: "/")
