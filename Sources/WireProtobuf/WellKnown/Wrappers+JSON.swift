// The JSON of a wrapper is the JSON of what it wraps.

extension DoubleValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try DoubleKind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .double)
  }
}

extension FloatValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try FloatKind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .float)
  }
}

extension Int64Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try Int64Kind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .int64)
  }
}

extension UInt64Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try UInt64Kind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .uint64)
  }
}

extension Int32Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try Int32Kind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .int32)
  }
}

extension UInt32Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try UInt32Kind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .uint32)
  }
}

extension BoolValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try BoolKind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .bool)
  }
}

extension StringValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try StringKind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .string)
  }
}

extension BytesValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try BytesKind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, .bytes)
  }
}
