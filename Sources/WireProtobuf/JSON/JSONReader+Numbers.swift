// Numbers as values of fields: in quotes or not, in range.

extension JSONReader {
  mutating func integer<I: FixedWidthInteger>() throws(JSONDecodingError.Reason) -> I {
    let before = unsafe cursor
    guard let value = try quotedNumber().integer(I.self) else {
      unsafe cursor = before
      throw .numberOutOfRange
    }
    return value
  }

  mutating func double() throws(JSONDecodingError.Reason) -> Double {
    if let special = try nonFinite() { return special }
    let before = unsafe cursor
    let value = try quotedNumber().double
    guard value.isFinite else {
      unsafe cursor = before
      throw .numberOutOfRange
    }
    return value
  }

  mutating func float() throws(JSONDecodingError.Reason) -> Float {
    if let special = try nonFinite() { return Float(special) }
    let before = unsafe cursor
    let value = try quotedNumber().float
    guard value.isFinite else {
      unsafe cursor = before
      throw .numberOutOfRange
    }
    return value
  }

  private mutating func nonFinite() throws(JSONDecodingError.Reason) -> Double? {
    guard peek() == UInt8(ascii: "\"") else { return nil }
    if takeWord("\"NaN\"") { return .nan }
    if takeWord("\"Infinity\"") { return .infinity }
    if takeWord("\"-Infinity\"") { return -.infinity }
    return nil
  }

  private mutating func quotedNumber() throws(JSONDecodingError.Reason) -> JSONNumber {
    switch peek() {
    case UInt8(ascii: "\""):
      unsafe cursor += 1
      // No white space inside the quotes.
      guard byte > 0x20 else { throw fault(.malformedNumber) }
      let value = try number()
      guard byte == UInt8(ascii: "\"") else { throw fault(.malformedNumber) }
      unsafe cursor += 1
      return value
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw fault(.expected(.number))
    }
  }
}
