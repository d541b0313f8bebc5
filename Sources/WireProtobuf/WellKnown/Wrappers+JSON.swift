// The JSON of a wrapper is the JSON of what it wraps.

extension DoubleValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try DoubleKind.writeJSON(value, to: &writer)
  }
}

extension FloatValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try FloatKind.writeJSON(value, to: &writer)
  }
}

extension Int64Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try Int64Kind.writeJSON(value, to: &writer)
  }
}

extension UInt64Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try UInt64Kind.writeJSON(value, to: &writer)
  }
}

extension Int32Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try Int32Kind.writeJSON(value, to: &writer)
  }
}

extension UInt32Value: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try UInt32Kind.writeJSON(value, to: &writer)
  }
}

extension BoolValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try BoolKind.writeJSON(value, to: &writer)
  }
}

extension StringValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try StringKind.writeJSON(value, to: &writer)
  }
}

extension BytesValue: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try BytesKind.writeJSON(value, to: &writer)
  }
}
