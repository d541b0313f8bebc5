/// A token, key, password or cookie that is searched for in text.
///
/// The search finds it in plain text, Base64 and hexadecimal. It also finds pieces of it that are too
/// long to occur by chance.
package struct Credential: Sendable {
  /// The minimum length in bytes: shorter values occur by chance.
  static let shortest = 8
  /// The maximum number of credentials of one call. Each one needs a search of its own.
  static let maxPerCall = 64

  /// All sequences of eight bytes, in each encoding.
  private let words: WordSet
  /// The minimum length of a redacted piece in bytes: 8 to 16.
  private let shortestPiece: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.shortest else { return nil }
    shortestPiece = min(16, max(Self.shortest, bytes.count / 2))
    words = WordSet([bytes] + Self.inBase64(bytes) + Self.inHexadecimal(bytes))
  }

  /// Returns the Base64 forms without padding, in the standard and the URL-safe alphabet (RFC 4648),
  /// after 0, 1 and 2 other bytes.
  private static func inBase64(_ bytes: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { count in
      // The first 0, 2 or 3 digits also depend on the bytes before the value.
      let all = Base64.encode([UInt8](repeating: 0, count: count) + bytes).utf8
      let text = Array(all.dropFirst(count == 0 ? 0 : count + 1))
      let other: [UInt8] = text.map { digit in
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: digit
        }
      }
      return text == other ? [text] : [text, other]
    }
  }

  private static func inHexadecimal(_ bytes: [UInt8]) -> [[UInt8]] {
    ["0123456789abcdef", "0123456789ABCDEF"].map { alphabet in
      let digits = Array(alphabet.utf8)
      return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
  }

  /// Finds all pieces of the credential in a text.
  ///
  /// A piece of 16 bytes contains nine words, so looking up every ninth offset suffices.
  ///
  /// - Parameters:
  ///   - isCutShort: whether the text is truncated. A short piece at its end is then found, too.
  ///   - pieces: the offsets of the pieces are added to it.
  func find(
    in text: UnsafeRawBufferPointer, isCutShort: Bool, _ pieces: inout [Range<Int>]
  ) {
    let last = text.count - WordSet.width
    let step = 1 + shortestPiece - WordSet.width
    // The end of the text that is already processed.
    var floor = 0
    var index = 0
    while index <= last {
      guard unsafe isWord(text, index) else {
        // In a truncated text the last offset is always looked up.
        index = isCutShort && index < last ? min(index + step, last) : index + step
        continue
      }
      var lower = index
      while lower > floor, unsafe isWord(text, lower - 1) { lower -= 1 }
      while index < last, unsafe isWord(text, index + 1) { index += 1 }
      let upper = index + WordSet.width
      if upper - lower >= shortestPiece || isCutShort && index == last {
        pieces.append(lower..<upper)
        floor = upper
        index = upper
      } else {
        index += 1
      }
    }
  }

  private func isWord(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    words.contains(unsafe text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}

extension [Credential] {
  /// Masks all pieces of the credentials in a text, even if they are percent-encoded up to twice.
  package func redact(_ text: inout [UInt8]) {
    guard !isEmpty, text.count >= Credential.shortest else { return }
    unsafe text.withUnsafeMutableBytes { unsafe redact($0, isCutShort: false) }
  }

  /// Masks credentials in place, as ``redact(_:)`` does.
  ///
  /// - Parameter isCutShort: whether the text is truncated. Masks a short piece at its end, too.
  package func redact(_ text: UnsafeMutableRawBufferPointer, isCutShort: Bool) {
    // All are found before one is masked: credentials that begin alike hide each other otherwise.
    let pieces = unsafe pieces(
      in: UnsafeRawBufferPointer(text), isCutShort: isCutShort, percentLevels: 2)
    for piece in pieces {
      for place in piece { unsafe text[place] = UInt8(ascii: "*") }
    }
  }

  private func pieces(
    in text: UnsafeRawBufferPointer, isCutShort: Bool, percentLevels: Int
  ) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    for credential in self { unsafe credential.find(in: text, isCutShort: isCutShort, &pieces) }
    guard percentLevels > 0,
      let decoded = unsafe PercentEncoding.decode(text, isCutShort: isCutShort)
    else { return pieces }
    let encoded = unsafe decoded.withUnsafeBytes {
      unsafe self.pieces(in: $0, isCutShort: isCutShort, percentLevels: percentLevels - 1)
    }
    guard !encoded.isEmpty else { return pieces }
    // Where each decoded byte begins in the text.
    var offsets = [0]
    for _ in decoded {
      let start = offsets[offsets.count - 1]
      offsets.append(start + (unsafe PercentEncoding.escapedByte(text, at: start) == nil ? 1 : 3))
    }
    return pieces + encoded.map { offsets[$0.lowerBound]..<offsets[$0.upperBound] }
  }

  package func redacted(_ text: String) -> String {
    guard !isEmpty, text.utf8.count >= Credential.shortest else { return text }
    var bytes = [UInt8](text.utf8)
    redact(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
