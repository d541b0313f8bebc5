extension StringProtocol {
  /// Returns the text with each %XX decoded once; nil if a percent sign has no two hexadecimal digits, or if the
  /// result is not UTF-8.
  ///
  /// - Parameter keepsSlashes: whether `%2F` stays as it is.
  func percentDecoded(keepsSlashes: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(self).utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = Substring(rest.prefix(2))
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let decoded = UInt8(digits, radix: 16)
      else { return nil }
      rest = rest.dropFirst(2)
      if keepsSlashes, decoded == UInt8(ascii: "/") {
        bytes += [byte] + digits.utf8
      } else {
        bytes.append(decoded)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
