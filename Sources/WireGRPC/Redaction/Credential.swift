/// A token, a key, a password or a cookie, to be found in any text.
///
/// It is found in plain text, in Base64 and in hexadecimal, and so is a piece of it that is too long to be
/// there by chance.
package struct Credential: Sendable {
  /// What is shorter is no credential: it would be found by chance.
  static let shortest = 8

  /// All eight bytes in a row, in any form.
  private let words: WordSet
  /// Pieces of so many bytes are redacted: 8 to 16.
  private let shortestPiece: Int

  /// Nil when it is too short.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.shortest else { return nil }
    shortestPiece = min(16, max(Self.shortest, bytes.count / 2))
    words = WordSet([bytes] + Self.inBase64(bytes) + Self.inHexadecimal(bytes))
  }

  /// In the alphabet of RFC 4648 §4, and in that for URLs where it differs, without padding; as it is
  /// encoded behind one byte or two, too.
  private static func inBase64(_ bytes: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { count in
      // The first 0, 2 or 3 digits depend on the bytes before it.
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

  /// With lower-case digits, and with capitals.
  private static func inHexadecimal(_ bytes: [UInt8]) -> [[UInt8]] {
    ["0123456789abcdef", "0123456789ABCDEF"].map { alphabet in
      let digits = Array(alphabet.utf8)
      return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
  }

  /// Writes asterisks over all pieces of it in a text.
  ///
  /// A piece of 16 bytes holds nine words, so only every ninth place is looked up.
  ///
  /// - Parameter isCutShort: whether the text goes on elsewhere. A short piece at the end then counts.
  func redact(_ text: UnsafeMutableRawBufferPointer, isCutShort: Bool) {
    let last = text.count - WordSet.width
    let step = 1 + shortestPiece - WordSet.width
    // What is before it is redacted, or is not to be.
    var floor = 0
    var index = 0
    while index <= last {
      guard unsafe isWord(text, index) else {
        // With a cut the last place is looked up in any case.
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
  /// Writes asterisks over all pieces of them in a text, also of those that are percent-encoded up to
  /// twice.
  package func redact(_ text: inout [UInt8]) {
    guard !isEmpty, text.count >= Credential.shortest else { return }
    unsafe text.withUnsafeMutableBytes { unsafe redact($0, isCutShort: false) }
  }

  /// The same in place.
  ///
  /// - Parameter isCutShort: whether the text goes on elsewhere. A short piece at the end then counts.
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

  /// A text with asterisks over all pieces of them.
  package func redacted(_ text: String) -> String {
    guard !isEmpty, text.utf8.count >= Credential.shortest else { return text }
    var bytes = [UInt8](text.utf8)
    redact(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
