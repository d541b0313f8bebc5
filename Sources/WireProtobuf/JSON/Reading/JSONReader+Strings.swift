// Strings with their escapes.

extension JSONReader {
  @usableFromInline
  package mutating func string() throws(JSONDecodingError.Reason) -> String {
    let plain = unsafe try plainString()
    if let plain = unsafe plain {
      let text = unsafe Self.utf8(Span(_unsafeElements: plain))
      guard let text else { throw .malformedString(.invalidUTF8) }
      return text
    }
    return try escapedString()
  }

  /// Reads a string in a special format. If the format is wrong, the cursor stays before the
  /// string.
  mutating func string<Form>(
    as form: JSONDecodingError.Expectation, _ read: (String) -> Form?
  ) throws(JSONDecodingError.Reason) -> Form {
    guard peek() == UInt8(ascii: "\"") else { throw fault(.expected(form)) }
    let before = unsafe cursor
    if let value = read(try string()) { return value }
    unsafe cursor = before
    throw .expected(form)
  }

  /// Reads a string without escapes; nil, with nothing read, if there are escapes.
  ///
  /// The bytes are not validated as UTF-8.
  mutating func plainString() throws(JSONDecodingError.Reason) -> UnsafeBufferPointer<UInt8>? {
    guard peek() == UInt8(ascii: "\"") else { throw fault(.expected(.string)) }
    let first = unsafe cursor + 1
    var next = unsafe first
    while unsafe next < end {
      let byte = unsafe next.pointee
      if byte == UInt8(ascii: "\"") {
        unsafe cursor = unsafe next + 1
        return unsafe UnsafeBufferPointer(start: first, count: next - first)
      }
      if byte == UInt8(ascii: "\\") { return nil }
      if byte < 0x20 {
        unsafe cursor = unsafe next
        throw .malformedString(.controlCharacter)
      }
      unsafe next += 1
    }
    unsafe cursor = unsafe next
    throw .truncated
  }

  private static func utf8(_ bytes: Span<UInt8>) -> String? {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return String(copying: text)
  }

  private mutating func escapedString() throws(JSONDecodingError.Reason) -> String {
    unsafe cursor += 1
    var bytes: [UInt8] = []
    while true {
      let byte = self.byte
      switch byte {
      case UInt8(ascii: "\""):
        unsafe cursor += 1
        guard let text = Self.utf8(bytes.span) else { throw .malformedString(.invalidUTF8) }
        return text
      case UInt8(ascii: "\\"):
        let before = unsafe cursor
        unsafe cursor += 1
        do throws(JSONDecodingError.Reason) {
          bytes.append(
            contentsOf: Unicode.UTF8.encode(try escape()) ?? .encodedReplacementCharacter)
        } catch {
          if error != .truncated { unsafe cursor = before }
          throw error
        }
      case ..<0x20: throw fault(.malformedString(.controlCharacter))
      default:
        bytes.append(byte)
        unsafe cursor += 1
      }
    }
  }

  /// Reads the rest of an escape after the backslash.
  private mutating func escape() throws(JSONDecodingError.Reason) -> Unicode.Scalar {
    let kind = byte
    guard kind != 0 else { throw fault(.malformedString(.invalidEscape)) }
    unsafe cursor += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw .malformedString(.invalidEscape)
    }
    let unit = try fourHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // A high surrogate; the low surrogate must follow.
    let unpaired = JSONDecodingError.Reason.malformedString(.unpairedSurrogate)
    guard unit < 0xDC00, byte == UInt8(ascii: "\\") else { throw fault(unpaired) }
    unsafe cursor += 1
    guard byte == UInt8(ascii: "u") else { throw fault(unpaired) }
    unsafe cursor += 1
    let low = try fourHexDigits()
    guard (0xDC00...0xDFFF).contains(low) else { throw unpaired }
    let value = 0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func fourHexDigits() throws(JSONDecodingError.Reason) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = byte.hexDigitValue else { throw fault(.malformedString(.invalidEscape)) }
      value = value << 4 | UInt16(digit)
      unsafe cursor += 1
    }
    return value
  }

  /// Decodes base64 in the standard or URL-safe alphabet, with or without padding (RFC 4648).
  mutating func base64() throws(JSONDecodingError.Reason) -> [UInt8] {
    var digits = Array(try string().utf8)
    let length = digits.count
    while digits.last == UInt8(ascii: "="), length - digits.count < 2 { digits.removeLast() }
    let isPadded = digits.count < length
    guard digits.count % 4 != 1, !isPadded || length % 4 == 0 else { throw .malformedBase64 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let sextet = digit.base64Value else { throw .malformedBase64 }
      bits = bits << 6 | UInt32(sextet)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}

extension UInt8 {
  /// The value of an ASCII character as a hexadecimal digit; nil for other characters.
  package var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The value of an ASCII character as a digit of either alphabet of base64 (RFC 4648); nil for other
  /// characters.
  package var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
