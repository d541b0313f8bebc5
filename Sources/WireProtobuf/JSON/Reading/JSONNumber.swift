/// A JSON number as written: ± digits × 10^exponent, or its text if it has too many digits.
///
/// The text belongs to the reader, which must outlive the number.
@safe
struct JSONNumber {
  var isNegative = false
  /// The digits without the decimal point.
  var digits: UInt64 = 0
  /// The power of ten by which the digits are multiplied.
  var exponent = 0
  /// Whether `digits` and `exponent` represent the number exactly.
  var isExact = true
  private let source: UnsafePointer<UInt8>
  fileprivate(set) var length = 0

  fileprivate init(_ source: UnsafePointer<UInt8>) {
    unsafe self.source = source
  }

  /// The number as written.
  private var text: String {
    unsafe String(decoding: UnsafeBufferPointer(start: source, count: length), as: UTF8.self)
  }

  /// The nearest double; infinite if it is out of range.
  var double: Double {
    // Both operands are exact as doubles, so there is only one rounding (Clinger's fast path).
    if isExact, digits <= 1 << 53, exponent.magnitude <= 22 {
      let magnitude = Double(digits)
      let power = Self.powers[Int(exponent.magnitude)]
      let value = exponent < 0 ? magnitude / power : magnitude * power
      return isNegative ? -value : value
    }
    return Double(decimalText) ?? .infinity
  }

  /// The nearest float; infinite if it is out of range.
  var float: Float {
    if isExact, digits <= 1 << 24, exponent == 0 {
      return isNegative ? -Float(digits) : Float(digits)
    }
    return Float(decimalText) ?? .infinity
  }

  /// The number as an integer; nil if it has a fraction or does not fit.
  func integer<I: FixedWidthInteger>(_ type: I.Type = I.self) -> I? {
    guard isExact else { return largeInteger() }
    var magnitude = digits
    var exponent = exponent
    while exponent < 0, magnitude != 0 {
      guard magnitude % 10 == 0 else { return nil }
      magnitude /= 10
      exponent += 1
    }
    while exponent > 0, magnitude != 0 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      magnitude = product
      exponent -= 1
    }
    if isNegative {
      guard I.isSigned, magnitude <= 1 << 63 else { return magnitude == 0 ? 0 : nil }
      return I(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return I(exactly: magnitude)
  }

  /// Whether the number is not an integer.
  var hasFraction: Bool {
    text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).suffix(max(0, -exponent))
      .contains { $0 != "0" }
  }

  /// Converts an integer with more digits than fit into 64 bits, such as 18446744073709551615.0.
  private func largeInteger<I: FixedWidthInteger>() -> I? {
    var digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
    var exponent = exponent
    while exponent < 0 {
      // The loop ends, because not all digits are zero.
      guard digits.popLast() == "0" else { return nil }
      exponent += 1
    }
    guard exponent < 20 else { return nil }
    return I((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
  }

  private var decimalText: String {
    isExact ? "\(isNegative ? "-" : "")\(digits)e\(exponent)" : text
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension JSONReader {
  mutating func number() throws(JSONDecodingError.Reason) -> JSONNumber {
    _ = peek()
    let first = unsafe cursor
    var number = unsafe JSONNumber(first)
    if byte == UInt8(ascii: "-") {
      number.isNegative = true
      unsafe cursor += 1
    }
    if byte == UInt8(ascii: "0") {
      unsafe cursor += 1
      if isDigit { throw .malformedNumber }
    } else {
      guard takeDigits(&number) > 0 else { throw fault(.malformedNumber) }
    }
    if byte == UInt8(ascii: ".") {
      unsafe cursor += 1
      let count = takeDigits(&number)
      guard count > 0 else { throw fault(.malformedNumber) }
      number.exponent = -count
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      unsafe cursor += 1
      try takeExponent(&number)
    }
    number.length = unsafe cursor - first
    return number
  }

  private var isDigit: Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Consumes digits and returns how many there were.
  private mutating func takeDigits(_ number: inout JSONNumber) -> Int {
    let first = unsafe cursor
    while isDigit {
      // 19 digits always fit into 64 bits.
      if number.digits < 1_000_000_000_000_000_000 {
        number.digits = number.digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
      } else {
        let (product, overflow) = number.digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(byte &- UInt8(ascii: "0")))
        if overflow || carry { number.isExact = false }
        number.digits = sum
      }
      unsafe cursor += 1
    }
    return unsafe cursor - first
  }

  private mutating func takeExponent(
    _ number: inout JSONNumber
  ) throws(JSONDecodingError.Reason) {
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { unsafe cursor += 1 }
    guard isDigit else { throw fault(.malformedNumber) }
    var exponent = 0
    while isDigit {
      // Far beyond the range of a double, and far from an overflow.
      if exponent < 100_000 { exponent = exponent * 10 + Int(byte &- UInt8(ascii: "0")) }
      unsafe cursor += 1
    }
    number.exponent += isNegative ? -exponent : exponent
  }
}
