// The JSON of scalars: numbers, but 64-bit integers in quotes, for the sake of readers that hold
// all numbers as doubles.

extension Int32Kind {
  public static func writeJSON(
    _ value: Int32, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(integer: value)
  }
}

extension SInt32Kind {
  public static func writeJSON(
    _ value: Int32, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(integer: value)
  }
}

extension SFixed32Kind {
  public static func writeJSON(
    _ value: Int32, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(integer: value)
  }
}

extension UInt32Kind {
  public static func writeJSON(
    _ value: UInt32, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(digits: UInt64(value))
  }
}

extension Fixed32Kind {
  public static func writeJSON(
    _ value: UInt32, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(digits: UInt64(value))
  }
}

extension Int64Kind {
  public static func writeJSON(
    _ value: Int64, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.putQuoted { $0.put(integer: value) }
  }
}

extension SInt64Kind {
  public static func writeJSON(
    _ value: Int64, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.putQuoted { $0.put(integer: value) }
  }
}

extension SFixed64Kind {
  public static func writeJSON(
    _ value: Int64, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.putQuoted { $0.put(integer: value) }
  }
}

extension UInt64Kind {
  public static func writeJSON(
    _ value: UInt64, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.putQuoted { $0.put(digits: value) }
  }
}

extension Fixed64Kind {
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
}

extension DoubleKind {
  public static func writeJSON(
    _ value: Double, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(double: value)
  }
}

extension BoolKind {
  public static func writeJSON(
    _ value: Bool, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(value ? "true" : "false")
  }
}

extension StringKind {
  public static func writeJSON(
    _ value: String, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(string: value)
  }
}

extension BytesKind {
  public static func writeJSON(
    _ value: [UInt8], to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    writer.put(base64: value)
  }
}

extension EnumKind {
  /// The name; of a number without one, the number. The one value of NullValue is null.
  public static func writeJSON(
    _ value: Value, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    if value is NullValue {
      writer.put("null")
    } else if let name = value.name {
      writer.putQuoted { $0.put(plain: name) }
    } else {
      writer.put(integer: value.rawValue)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func putQuoted(_ body: (inout JSONWriter) -> Void) {
    put(UInt8(ascii: "\""))
    body(&self)
    put(UInt8(ascii: "\""))
  }
}
