/// A credential: a token, a key or a cookie. It is found in any bytes that hold it in plain text, in
/// Base64 or in hexadecimal, or a piece of it that is longer than chance would have it.
///
/// All eight bytes in a row that it has, in any form, are in a hash table. Of the bytes that are searched
/// only every ninth place is looked up, as a piece of 16 bytes cannot hide between two of them; so the search takes
/// less time than to copy them, and no longer when somebody has filled them with what is nearly a secret.
package struct Secret: Sendable {
  /// What is shorter is found by chance, and is no secret for long.
  static let shortest = 8

  /// Its forms, one behind the other.
  private let bytes: [UInt8]
  /// Pieces of so many bytes are struck out: 8 to 16.
  private let shortestPiece: Int
  /// Where eight bytes begin, counted from 1, from the place on that their hash says; 0 where there are
  /// no others.
  private let places: [UInt32]
  private let shift: UInt64
  /// Odd, and another one in each process: who knew it could choose secrets that are all in one slot.
  private let multiplier: UInt64
  private static let randomMultiplier = UInt64.random(in: 0 ... .max) | 1

  /// Nil when it is too short.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.shortest, bytes.count < UInt32.max >> 5 else { return nil }
    let forms = [bytes] + Self.inBase64(bytes) + Self.inHexadecimal(bytes)
    let all = Array(forms.joined())
    self.bytes = all
    shortestPiece = min(16, max(Self.shortest, bytes.count / 2))
    // At most half of it is ever full.
    let bits = UInt64(UInt.bitWidth - all.count.leadingZeroBitCount) + 1
    let shift = 64 - bits
    let multiplier = Self.randomMultiplier
    var places = [UInt32](repeating: 0, count: 1 << Int(bits))
    unsafe all.withUnsafeBytes { bytes in
      for start in 0...bytes.count - Self.width {
        let word = unsafe Self.word(bytes, start)
        var slot = Self.slot(word, multiplier, shift)
        var others = 0
        while places[slot] != 0 {
          if unsafe Self.word(bytes, Int(places[slot]) - 1) == word { others += 1 }
          slot = (slot + 1) & (places.count - 1)
        }
        // Or one that is the same byte over and over would take long to find.
        if others < 4 { places[slot] = UInt32(start + 1) }
      }
    }
    self.shift = shift
    self.multiplier = multiplier
    self.places = places
  }

  /// In the alphabet of RFC 4648 §4, and in that for URLs where it differs, without padding: as it is
  /// encoded behind one byte, or two, too.
  private static func inBase64(_ bytes: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { count in
      // Of the digits that tell of what is before it, too, there are none, 2 and 3.
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

  /// Writes asterisks over all pieces of it that are in some text.
  ///
  /// - Parameter isCutShort: whether more would have come: then a short piece at the end counts, too.
  func strikeOut(of text: UnsafeMutableRawBufferPointer, isCutShort: Bool) {
    guard text.count >= (isCutShort ? Self.width : shortestPiece) else { return }
    unsafe bytes.withUnsafeBytes { bytes in
      var index = unsafe next(in: text, from: 0)
      // Of what is before all is struck out, or nothing is to be.
      var floor = 0
      while index <= text.count - Self.width {
        let piece = unsafe piece(of: bytes, in: text, at: index, from: floor)
        if piece.count >= shortestPiece {
          for place in piece { unsafe text[place] = UInt8(ascii: "*") }
          floor = piece.upperBound
          index = unsafe next(in: text, from: floor)
        } else {
          index = unsafe next(in: text, from: index + step)
        }
      }
      guard isCutShort, text.count - floor >= Self.width else { return }
      for place in unsafe piece(of: bytes, in: text, at: text.count - Self.width, from: floor) {
        unsafe text[place] = UInt8(ascii: "*")
      }
    }
  }

  /// How far the places are apart that are looked up.
  private var step: Int { 1 + shortestPiece - Self.width }

  /// The first of the places to be looked up at which there may be a piece; mostly there is none, so this
  /// is where the time goes.
  private func next(in text: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
    unsafe places.withUnsafeBufferPointer { places in
      let step = step
      let last = text.count - Self.width
      var index = start
      while index <= last {
        let word = unsafe Self.word(UnsafeRawBufferPointer(text), index)
        if unsafe places[Self.slot(word, multiplier, shift)] != 0 { break }
        index += step
      }
      return index
    }
  }

  /// The longest piece that has the eight bytes at `index`; an empty one if the secret has not.
  private func piece(
    of bytes: UnsafeRawBufferPointer, in text: UnsafeMutableRawBufferPointer, at index: Int,
    from floor: Int
  ) -> Range<Int> {
    let word = unsafe Self.word(UnsafeRawBufferPointer(text), index)
    var slot = Self.slot(word, multiplier, shift)
    var longest = index..<index
    while case let place = places[slot], place != 0 {
      let start = Int(place) - 1
      if unsafe Self.word(bytes, start) == word {
        var lower = 0
        while lower < min(start, index - floor),
          unsafe bytes[start - lower - 1] == text[index - lower - 1]
        { lower += 1 }
        var upper = Self.width
        while upper < min(bytes.count - start, text.count - index),
          unsafe bytes[start + upper] == text[index + upper]
        { upper += 1 }
        if lower + upper > longest.count { longest = index - lower..<index + upper }
      }
      slot = (slot + 1) & (places.count - 1)
    }
    return longest
  }

  /// How many bytes are looked up at once.
  private static let width = 8

  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  private static func slot(_ word: UInt64, _ multiplier: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (word &* multiplier) &>> shift)
  }
}

extension [Secret] {
  /// Writes asterisks over all pieces of them that are in some text, percent-encoded up to twice.
  package func strikeOut(of text: inout [UInt8]) {
    guard !isEmpty, text.count >= Secret.shortest else { return }
    unsafe text.withUnsafeMutableBytes { unsafe strikeOut(of: $0, isCutShort: false) }
  }

  /// The same in place.
  ///
  /// - Parameter isCutShort: whether more would have come: then a short piece at the end counts, too.
  package func strikeOut(of text: UnsafeMutableRawBufferPointer, isCutShort: Bool) {
    unsafe strikeOut(of: text, isCutShort: isCutShort, percentLevels: 2)
  }

  private func strikeOut(
    of text: UnsafeMutableRawBufferPointer, isCutShort: Bool, percentLevels: Int
  ) {
    for secret in self { unsafe secret.strikeOut(of: text, isCutShort: isCutShort) }
    guard percentLevels > 0,
      let decoded = unsafe PercentEncoding.decode(text, isCutShort: isCutShort)
    else { return }
    var struck = decoded
    unsafe struck.withUnsafeMutableBytes {
      unsafe strikeOut(of: $0, isCutShort: isCutShort, percentLevels: percentLevels - 1)
    }
    guard struck != decoded else { return }
    var index = 0
    for (byte, shown) in zip(decoded, struck) {
      let isEscape = unsafe PercentEncoding.isEscape(UnsafeRawBufferPointer(text), index)
      let end = index + (isEscape ? 3 : 1)
      if byte != shown {
        for place in index..<end { unsafe text[place] = UInt8(ascii: "*") }
      }
      index = end
    }
  }

  /// A text with asterisks over all pieces of them.
  package func struck(_ text: String) -> String {
    guard !isEmpty, text.utf8.count >= Secret.shortest else { return text }
    var bytes = [UInt8](text.utf8)
    strikeOut(of: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
