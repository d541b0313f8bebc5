// The JSON of a wrapper message is the JSON of its value.

/// A message of google/protobuf/wrappers.proto.
protocol WrapperMessage: CustomJSONMessage {
  associatedtype Kind: ScalarKind

  static var kind: Kind { get }
  var value: Kind.Value { get set }
}

extension WrapperMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    try Kind.writeJSON(value, to: &writer)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.scalar(&value, Self.kind)
  }
}

extension DoubleValue: WrapperMessage {
  static var kind: DoubleKind { .double }
}

extension FloatValue: WrapperMessage {
  static var kind: FloatKind { .float }
}

extension Int64Value: WrapperMessage {
  static var kind: Int64Kind { .int64 }
}

extension UInt64Value: WrapperMessage {
  static var kind: UInt64Kind { .uint64 }
}

extension Int32Value: WrapperMessage {
  static var kind: Int32Kind { .int32 }
}

extension UInt32Value: WrapperMessage {
  static var kind: UInt32Kind { .uint32 }
}

extension BoolValue: WrapperMessage {
  static var kind: BoolKind { .bool }
}

extension StringValue: WrapperMessage {
  static var kind: StringKind { .string }
}

extension BytesValue: WrapperMessage {
  static var kind: BytesKind { .bytes }
}
