// Numbers as field values: with or without quotes, checked for their range.

extension JSONReader {
  mutating func integer<I: FixedWidthInteger>() throws(JSONDecodingError.Reason) -> I {
    try quoted(
      as: { $0.integer() },
      again: { reader throws(JSONDecodingError.Reason) in try reader.integer() })
  }

  mutating func double() throws(JSONDecodingError.Reason) -> Double {
    if let special = try nonFinite() { return special }
    return try quoted(
      as: { Self.finite($0.double) },
      again: { reader throws(JSONDecodingError.Reason) in try reader.double() })
  }

  mutating func float() throws(JSONDecodingError.Reason) -> Float {
    if let special = try nonFinite() { return Float(special) }
    return try quoted(
      as: { Self.finite($0.float) },
      again: { reader throws(JSONDecodingError.Reason) in try reader.float() })
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
      // White space is not allowed inside the quotes.
      guard byte > 0x20 else { throw fault(.malformedNumber) }
      let value = try number()
      guard byte == UInt8(ascii: "\"") else { throw fault(.malformedNumber) }
      unsafe cursor += 1
      return value
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw fault(.expected(.number))
    }
  }

  private static func finite<F: BinaryFloatingPoint>(_ value: F) -> F? {
    value.isFinite ? value : nil
  }

  /// Reads a number, with or without quotes.
  ///
  /// - Parameters:
  ///   - convert: returns nil if the number is out of range.
  ///   - again: reads the number with another reader.
  @inline(__always)
  private mutating func quoted<N>(
    as convert: (JSONNumber) -> N?,
    again: (inout JSONReader) throws(JSONDecodingError.Reason) -> N
  ) throws(JSONDecodingError.Reason) -> N {
    _ = peek()
    let start = unsafe cursor
    let number: JSONNumber
    do throws(JSONDecodingError.Reason) {
      number = try quotedNumber()
    } catch {
      return unsafe try unescaped(from: start, error, again)
    }
    if let value = convert(number) { return value }
    unsafe cursor = start
    throw N.self is any FixedWidthInteger.Type && number.hasFraction
      ? .notAnInteger : .numberOutOfRange
  }

  /// Reads a number again after an error: a quoted number may contain escapes like any string.
  private mutating func unescaped<N>(
    from start: UnsafePointer<UInt8>, _ fault: JSONDecodingError.Reason,
    _ read: (inout JSONReader) throws(JSONDecodingError.Reason) -> N
  ) throws(JSONDecodingError.Reason) -> N {
    let stop = unsafe cursor
    unsafe cursor = start
    // An escape is always longer than the character it represents.
    if byte == UInt8(ascii: "\""), let text = try? string(),
      unsafe cursor - start > text.utf8.count + 2,
      !text.utf8.contains(UInt8(ascii: "\"")), !text.utf8.contains(UInt8(ascii: "\\"))
    {
      let quoted = "\"\(text)\""
      let number = unsafe quoted.utf8.span.withUnsafeBufferPointer { text in
        var reader = unsafe JSONReader(text, options: options)
        return try? read(&reader)
      }
      if let number { return number }
    }
    unsafe cursor = stop
    throw fault
  }
}
