/// A token, key, password or cookie that is searched for in text.
///
/// The search finds it in plain text, Base64 and hexadecimal. It also finds pieces of it that are too
/// long to occur by chance.
package struct Credential: Sendable {
  /// The minimum length in bytes: shorter values occur by chance.
  static let shortest = 8

  /// All sequences of eight bytes, in each encoding.
  private let words: WordSet
  /// The minimum length of a redacted piece in bytes: 8 to 16.
  private let shortestPiece: Int

  /// Returns nil for a value that is too short.
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

  /// Returns the hexadecimal forms in lower and upper case.
  private static func inHexadecimal(_ bytes: [UInt8]) -> [[UInt8]] {
    ["0123456789abcdef", "0123456789ABCDEF"].map { alphabet in
      let digits = Array(alphabet.utf8)
      return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
  }

  /// Masks all pieces of the credential in a text.
  ///
  /// A piece of 16 bytes contains nine words, so looking up every ninth offset suffices.
  ///
  /// - Parameter isCutShort: whether the text is truncated. A short piece at its end is then masked,
  ///   too.
  func redact(_ text: UnsafeMutableRawBufferPointer, isCutShort: Bool) {
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
        for place in lower..<upper { unsafe text[place] = UInt8(ascii: "*") }
        floor = upper
        index = upper
      } else {
        index += 1
      }
    }
  }

  private func isWord(_ text: UnsafeMutableRawBufferPointer, _ index: Int) -> Bool {
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
  /// - Parameter isCutShort: whether the text is truncated. A short piece at its end is then masked,
  ///   too.
  package func redact(_ text: UnsafeMutableRawBufferPointer, isCutShort: Bool) {
    unsafe redact(text, isCutShort: isCutShort, percentLevels: 2)
  }

  private func redact(
    _ text: UnsafeMutableRawBufferPointer, isCutShort: Bool, percentLevels: Int
  ) {
    for credential in self { unsafe credential.redact(text, isCutShort: isCutShort) }
    guard percentLevels > 0,
      let decoded = unsafe PercentEncoding.decode(text, isCutShort: isCutShort)
    else { return }
    var redacted = decoded
    unsafe redacted.withUnsafeMutableBytes {
      unsafe redact($0, isCutShort: isCutShort, percentLevels: percentLevels - 1)
    }
    guard redacted != decoded else { return }
    var index = 0
    for (byte, shown) in zip(decoded, redacted) {
      let isEscape = unsafe PercentEncoding.isEscape(UnsafeRawBufferPointer(text), index)
      let end = index + (isEscape ? 3 : 1)
      if byte != shown {
        for place in index..<end { unsafe text[place] = UInt8(ascii: "*") }
      }
      index = end
    }
  }

  /// Returns the text with all pieces of the credentials masked.
  package func redacted(_ text: String) -> String {
    guard !isEmpty, text.utf8.count >= Credential.shortest else { return text }
    var bytes = [UInt8](text.utf8)
    redact(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
