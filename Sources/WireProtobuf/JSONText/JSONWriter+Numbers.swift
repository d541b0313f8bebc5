// Numbers: integers, and the shortest decimals that identify a double or a float.

extension JSONWriter {
  mutating func put(integer value: some FixedWidthInteger & SignedInteger) {
    if value < 0 { put(UInt8(ascii: "-")) }
    put(digits: UInt64(value.magnitude))
  }

  /// Writes a decimal number.
  ///
  /// - Parameter width: the minimum number of digits; shorter numbers get leading zeros.
  mutating func put(digits value: UInt64, width: Int = 1) {
    var length = 1
    var power: UInt64 = 10
    while length < 20, value >= power {
      length += 1
      if length < 20 { power *= 10 }
    }
    length = max(length, width)
    reserve(length)
    var rest = value
    var index = count + length
    while index > count {
      index -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      unsafe buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    count += length
  }

  /// Writes the fewest digits that read back as the same double. Infinities and NaN are strings.
  @usableFromInline
  mutating func put(double value: Double) {
    guard value.isFinite else {
      return put(nonFinite: value)
    }
    // The fast path for numbers with up to seven decimals and 15 digits, such as coordinates.
    // Scaled by 10^7, such a number is less than half a unit from an integer below 2^53, and that
    // integer divided by 10^7 rounds to the same double. Without trailing zeros it is the shortest
    // decimal.
    let scaled = value.magnitude * 1e7
    if scaled < 1e15, scaled >= 1e3 {
      let rounded = UInt64(scaled + 0.5)
      if Double(rounded) / 1e7 == value.magnitude {
        return put(scaled: rounded, isNegative: value < 0)
      }
    }
    put(plain: value.description)
  }

  /// Writes the fewest digits that read back as the same float.
  @usableFromInline
  mutating func put(float value: Float) {
    guard value.isFinite else {
      return put(nonFinite: Double(value))
    }
    put(plain: value.description)
  }

  private mutating func put(nonFinite value: Double) {
    put(value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
  }

  /// Writes a multiple of 10^-7, with at least one decimal.
  mutating func put(scaled value: UInt64, isNegative: Bool) {
    if isNegative { put(UInt8(ascii: "-")) }
    let (whole, fraction) = value.quotientAndRemainder(dividingBy: 10_000_000)
    put(digits: whole)
    put(UInt8(ascii: "."))
    put(digits: fraction, width: 7)
    while unsafe buffer[count - 1] == UInt8(ascii: "0") && buffer[count - 2] != UInt8(ascii: ".") {
      count -= 1
    }
  }
}
