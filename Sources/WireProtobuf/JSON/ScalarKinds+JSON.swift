// The JSON of scalars. 64-bit integers are quoted, because some readers hold all numbers as
// doubles. Numbers are accepted with and without quotes.

extension ScalarKind where Value: FixedWidthInteger {
  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> Value? {
    try reader.integer()
  }
}

extension ScalarKind where Value == Int32 {
  public static func writeJSON(
    _ value: Int32, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(integer: value)
  }
}

extension ScalarKind where Value == UInt32 {
  public static func writeJSON(
    _ value: UInt32, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(digits: UInt64(value))
  }
}

extension ScalarKind where Value == Int64 {
  public static func writeJSON(
    _ value: Int64, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.putQuoted { $0.put(integer: value) }
  }
}

extension ScalarKind where Value == UInt64 {
  public static func writeJSON(
    _ value: UInt64, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.putQuoted { $0.put(digits: value) }
  }
}

extension FloatKind {
  public static func writeJSON(
    _ value: Float, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(float: value)
  }

  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> Float? {
    try reader.float()
  }
}

extension DoubleKind {
  public static func writeJSON(
    _ value: Double, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(double: value)
  }

  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> Double? {
    try reader.double()
  }
}

extension BoolKind {
  public static func writeJSON(
    _ value: Bool, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(value ? "true" : "false")
  }

  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> Bool? {
    try reader.bool()
  }
}

extension StringKind {
  public static func writeJSON(
    _ value: String, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(string: value)
  }

  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> String? {
    try reader.string()
  }
}

extension BytesKind {
  public static func writeJSON(
    _ value: [UInt8], to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(base64: value)
  }

  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> [UInt8]? {
    try reader.base64()
  }
}

extension EnumKind {
  /// Writes the name, or the number if it has no name. The only value of NullValue is null.
  public static func writeJSON(
    _ value: Value, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    if hasJSONNull {
      writer.put("null")
    } else if let name = value.name {
      writer.putQuoted { $0.put(plain: name) }
    } else {
      writer.put(integer: value.rawValue)
    }
  }

  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> Value? {
    if hasJSONNull, reader.takeNull() { return Value(rawValue: 0) }
    let number = try reader.enumNumber(
      of: Value.enumName,
      // Names are ASCII. Comparing other strings could take long.
      find: { $0.isASCII ? Value(name: $0)?.rawValue : nil },
      names: {
        let values = (Value.self as? any CaseIterable.Type)?.allCases as? [Value] ?? []
        return values.compactMap(\.name)
      }, isNamed: { _ in true }, isOpen: true)
    return number.map(Value.init)
  }

  /// Only NullValue has a null.
  public static var hasJSONNull: Bool { Value.self == NullValue.self }
}

extension JSONWriter {
  fileprivate mutating func putQuoted(_ body: (inout JSONWriter) -> Void) {
    put(UInt8(ascii: "\""))
    body(&self)
    put(UInt8(ascii: "\""))
  }
}
