extension String {
  /// Whether all octets of its UTF-8 are in a range. Tokens are long, and looked at for each call: this
  /// takes many octets at a time, where a closure would be called for each.
  package func hasOnly(octets range: ClosedRange<UInt8>) -> Bool {
    let (lowest, width) = (range.lowerBound, range.upperBound - range.lowerBound)
    let octets = utf8Span.span
    return unsafe octets.withUnsafeBufferPointer { octets in
      var isOutside: UInt8 = 0
      for index in 0..<octets.count {
        unsafe isOutside |= octets[index] &- lowest > width ? 1 : 0
      }
      return isOutside == 0
    }
  }

  /// Whether a text is in it, octet for octet. Not for hot paths.
  ///
  /// `contains(_:)` would link the regular expressions of the standard library, 1.3 MB.
  package func mentions(_ text: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: text.utf8) }
  }

  /// In lower case: itself, for nothing, when it is ASCII without capitals, as names mostly are.
  var lowercasedName: String {
    let octets = utf8Span.span
    for index in octets.indices
    where octets[index] >= 0x80 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octets[index]) {
      return lowercased()
    }
    return self
  }
}
