extension String {
  /// Returns whether all UTF-8 bytes are in a range. The loop is vectorized, because tokens are
  /// long and checked for each call.
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

  /// Returns whether the text contains another, byte for byte. Takes quadratic time.
  ///
  /// `contains(_:)` would link the regular expressions of the standard library, 1.3 MB.
  package func mentions(_ text: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: text.utf8) }
  }

  /// The text in lower case. ASCII without capitals, as most names are, is returned without a copy.
  var lowercasedName: String {
    let octets = utf8Span.span
    for index in octets.indices
    where octets[index] >= 0x80 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octets[index]) {
      return lowercased()
    }
    return self
  }
}
