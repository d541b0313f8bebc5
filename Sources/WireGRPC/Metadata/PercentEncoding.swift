extension Collection<UInt8> {
  /// With %XX, in capitals, for each byte that is not kept (RFC 3986 §2.1).
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
  /// The text with %XX for each byte of its UTF-8 that is not kept.
  package func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
    if utf8.allSatisfy(isKept) { return self }
    return String(decoding: utf8.percentEncoded(keeping: isKept), as: UTF8.self)
  }

  /// The bytes that the text stands for; a percent sign without two hex digits stands for itself.
  package var percentDecoded: [UInt8] {
    let bytes = Array(utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = bytes[index + 1].hexDigitValue, let low = bytes[index + 2].hexDigitValue
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

/// Percent-encoding in bytes that may hold anything.
enum PercentEncoding {
  /// The bytes with each escape, %XX, decoded; nil when there is none.
  ///
  /// - Parameter isCutShort: whether an escape that is not complete at the end is left out.
  static func decode(_ text: UnsafeMutableRawBufferPointer, isCutShort: Bool) -> [UInt8]? {
    let text = UnsafeRawBufferPointer(text)
    guard unsafe hasPercentSign(text) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if unsafe isEscape(text, index), let high = unsafe text[index + 1].hexDigitValue,
        let low = unsafe text[index + 2].hexDigitValue
      {
        result.append(high << 4 | low)
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

  /// Whether %XX begins at `index`.
  static func isEscape(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    unsafe text[index] == percent && index + 2 < text.count
      && text[index + 1].hexDigitValue != nil && text[index + 2].hexDigitValue != nil
  }

  /// Without a branch, so that many octets are looked at at a time.
  private static func hasPercentSign(_ text: UnsafeRawBufferPointer) -> Bool {
    var isThere: UInt8 = 0
    for index in 0..<text.count { isThere |= unsafe text[index] == percent ? 1 : 0 }
    return isThere != 0
  }

  private static let percent = UInt8(ascii: "%")
}

extension UInt8 {
  /// The digit for a number below 16, in capitals.
  fileprivate var hexDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10
  }

  fileprivate var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
