/// Takes digits and signs off the front of a text, for times and durations.
struct DecimalScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// A number of so many digits; nil when there are more or fewer.
  mutating func digits(_ count: ClosedRange<Int>) -> Int64? {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard count.contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  /// A point and one to nine decimals, as nanoseconds; 0 when there is no point.
  mutating func nanos() -> Int32? {
    guard take(".") else { return 0 }
    let before = rest.count
    guard var value = digits(1...9) else { return nil }
    for _ in (before - rest.count)..<9 { value *= 10 }
    return Int32(value)
  }
}
