extension String {
  /// The text with %XX, in capitals, for each byte of its UTF-8 that is not kept (RFC 3986 §2.1).
  func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
    if utf8.allSatisfy(isKept) { return self }
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in utf8 {
      if isKept(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
