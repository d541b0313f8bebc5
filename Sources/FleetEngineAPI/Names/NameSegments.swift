/// The segments of a name of a resource. Elements of a span are much cheaper than those of a view of a string, and each
/// call and each update of a trip comes here.
extension Span<UInt8> {
  private static var slash: UInt8 { UInt8(ascii: "/") }

  /// The range up to the next "/"; empty after the end.
  package func segment(from start: Int) -> Range<Int> {
    let start = Swift.min(start, count)
    var end = start
    while end < count, self[end] != Self.slash { end += 1 }
    return start..<end
  }

  /// Without slashes after it; empty if there is none.
  fileprivate var lastSegment: Range<Int> {
    var end = count
    while end > 0, self[end - 1] == Self.slash { end -= 1 }
    var start = end
    while start > 0, self[start - 1] != Self.slash { start -= 1 }
    return start..<end
  }

  package func equals(_ text: String, in range: Range<Int>) -> Bool {
    let other = text.utf8Span.span
    return range.count == other.count
      && other.indices.allSatisfy { self[range.lowerBound + $0] == other[$0] }
  }

  /// A part as text; nil if it is not UTF-8.
  package func text(_ range: Range<Int>) -> String? {
    guard let text = try? UTF8Span(validating: extracting(range)) else { return nil }
    return String(copying: text)
  }
}

/// The places of "p", "trips" and "t" in "providers/p/trips/t"; nil for another number of segments, or another first
/// one.
package func nameSegments(
  of name: String
) -> (provider: Range<Int>, collection: Range<Int>, id: Range<Int>)? {
  let start = "providers/"
  guard name.hasPrefix(start) else { return nil }
  let octets = name.utf8Span.span
  let provider = octets.segment(from: start.utf8.count)
  let collection = octets.segment(from: provider.upperBound + 1)
  let id = octets.segment(from: collection.upperBound + 1)
  guard collection.upperBound < octets.count, id.upperBound == octets.count else { return nil }
  return (provider, collection, id)
}

/// "t" of "providers/p/trips/t", and "GetTrip" of the path of a method; nil if there is nothing but slashes.
package func lastSegment(of name: String) -> String? {
  let octets = name.utf8Span.span
  let segment = octets.lastSegment
  return segment.isEmpty ? nil : octets.text(segment)
}
