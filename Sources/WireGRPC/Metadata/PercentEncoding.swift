import WireProtobuf

extension Collection<UInt8> {
  /// Returns the bytes with %XX, in capitals, for each byte that is not kept (RFC 3986 §2.1).
  func percentEncoded(keeping isKept: (UInt8) -> Bool) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + 2 * count(where: { !isKept($0) }))
    for byte in self {
      if isKept(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append((byte >> 4).hexDigit)
        result.append((byte & 15).hexDigit)
      }
    }
    return result
  }
}

extension String {
  /// Returns the text with %XX for each UTF-8 byte that is not kept.
  package func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
    if utf8.allSatisfy(isKept) { return self }
    return String(decoding: utf8.percentEncoded(keeping: isKept), as: UTF8.self)
  }

  /// The decoded bytes. A percent sign without two hex digits stays as it is.
  package var percentDecoded: [UInt8] {
    let bytes = Array(utf8)
    let decoded = unsafe bytes.withUnsafeBytes {
      unsafe PercentEncoding.decode($0, isCutShort: false)
    }
    return decoded ?? bytes
  }
}

/// Percent-encoding in arbitrary bytes.
enum PercentEncoding {
  /// Returns the bytes with each %XX decoded, or nil if there is none.
  ///
  /// - Parameter isCutShort: whether to omit an incomplete escape at the end.
  static func decode(_ text: UnsafeRawBufferPointer, isCutShort: Bool) -> [UInt8]? {
    guard unsafe hasPercentSign(text) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if let byte = unsafe escapedByte(text, at: index) {
        result.append(byte)
        index += 3
      } else {
        let byte = unsafe text[index]
        if isCutShort, byte == percent, index + 2 >= text.count { break }
        result.append(byte)
        index += 1
      }
    }
    return result.count == text.count ? nil : result
  }

  /// Returns the byte of the %XX at `index`; nil if there is none.
  static func escapedByte(_ text: UnsafeRawBufferPointer, at index: Int) -> UInt8? {
    guard unsafe text[index] == percent, index + 2 < text.count,
      let high = unsafe text[index + 1].hexDigitValue,
      let low = unsafe text[index + 2].hexDigitValue
    else { return nil }
    return high << 4 | low
  }

  /// Has no branch in the loop, so that the compiler vectorizes it.
  private static func hasPercentSign(_ text: UnsafeRawBufferPointer) -> Bool {
    var hasPercent: UInt8 = 0
    for index in 0..<text.count { hasPercent |= unsafe text[index] == percent ? 1 : 0 }
    return hasPercent != 0
  }

  private static let percent = UInt8(ascii: "%")
}

extension UInt8 {
  /// The digit for a number below 16, in capitals.
  fileprivate var hexDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
  }
}

extension UInt8 {
  /// Whether it is an unreserved character of RFC 3986 section 2.3.
  package var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
