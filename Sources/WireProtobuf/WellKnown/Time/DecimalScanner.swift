/// Consumes digits and punctuation from the start of a text, for times and durations.
struct DecimalScanner {
  private let text: [UInt8]
  private var index = 0

  init(_ text: String) {
    self.text = Array(text.utf8)
  }

  var isAtEnd: Bool { index == text.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Consumes a number; nil if the count of its digits is out of range.
  mutating func digits(_ count: ClosedRange<Int>) -> Int64? {
    var value: Int64 = 0
    let start = index
    while index < text.count, text[index] >= UInt8(ascii: "0"), text[index] <= UInt8(ascii: "9") {
      guard index - start < count.upperBound else { return nil }
      value = value * 10 + Int64(text[index] - UInt8(ascii: "0"))
      index += 1
    }
    return index - start >= count.lowerBound ? value : nil
  }

  /// Consumes a point and one to nine decimals and returns nanoseconds; 0 if there is no point.
  mutating func nanos() -> Int32? {
    guard take(".") else { return 0 }
    let start = index
    guard var value = digits(1...9) else { return nil }
    for _ in (index - start)..<9 { value *= 10 }
    return Int32(value)
  }
}
