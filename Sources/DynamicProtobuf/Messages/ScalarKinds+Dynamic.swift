import ProtobufDescriptors
package import WireProtobuf

/// A scalar kind whose values can be stored without their type.
package protocol DynamicKind: ScalarKind {
  static func wrap(_ value: Value) -> DynamicValue
  /// Returns nil for a value of another kind.
  static func unwrap(_ value: DynamicValue) -> Value?
}

extension PoolBuilder {
  /// Returns the kind of a type other than enum, message or group.
  static func scalarKind(_ type: FieldDescriptorProto.TypeEnum) -> (any DynamicKind.Type)? {
    switch type {
    case .double: DoubleKind.self
    case .float: FloatKind.self
    case .int64: Int64Kind.self
    case .uint64: UInt64Kind.self
    case .int32: Int32Kind.self
    case .fixed64: Fixed64Kind.self
    case .fixed32: Fixed32Kind.self
    case .bool: BoolKind.self
    case .string: StringKind.self
    case .bytes: BytesKind.self
    case .uint32: UInt32Kind.self
    case .sfixed32: SFixed32Kind.self
    case .sfixed64: SFixed64Kind.self
    case .sint32: SInt32Kind.self
    case .sint64: SInt64Kind.self
    default: nil
    }
  }
}

// MARK: Conversion to and from values

extension DynamicKind where Value == Int32 {
  package static func wrap(_ value: Int32) -> DynamicValue { .int32(value) }

  package static func unwrap(_ value: DynamicValue) -> Int32? {
    if case .int32(let value) = value { value } else { nil }
  }
}

extension DynamicKind where Value == Int64 {
  package static func wrap(_ value: Int64) -> DynamicValue { .int64(value) }

  package static func unwrap(_ value: DynamicValue) -> Int64? {
    if case .int64(let value) = value { value } else { nil }
  }
}

extension DynamicKind where Value == UInt32 {
  package static func wrap(_ value: UInt32) -> DynamicValue { .uint32(value) }

  package static func unwrap(_ value: DynamicValue) -> UInt32? {
    if case .uint32(let value) = value { value } else { nil }
  }
}

extension DynamicKind where Value == UInt64 {
  package static func wrap(_ value: UInt64) -> DynamicValue { .uint64(value) }

  package static func unwrap(_ value: DynamicValue) -> UInt64? {
    if case .uint64(let value) = value { value } else { nil }
  }
}

// MARK: The kinds

extension Int32Kind: DynamicKind {}
extension Int64Kind: DynamicKind {}
extension UInt32Kind: DynamicKind {}
extension UInt64Kind: DynamicKind {}
extension SInt32Kind: DynamicKind {}
extension SInt64Kind: DynamicKind {}
extension Fixed32Kind: DynamicKind {}
extension Fixed64Kind: DynamicKind {}
extension SFixed32Kind: DynamicKind {}
extension SFixed64Kind: DynamicKind {}

extension FloatKind: DynamicKind {
  package static func wrap(_ value: Float) -> DynamicValue { .float(value) }

  package static func unwrap(_ value: DynamicValue) -> Float? {
    if case .float(let value) = value { value } else { nil }
  }
}

extension DoubleKind: DynamicKind {
  package static func wrap(_ value: Double) -> DynamicValue { .double(value) }

  package static func unwrap(_ value: DynamicValue) -> Double? {
    if case .double(let value) = value { value } else { nil }
  }
}

extension BoolKind: DynamicKind {
  package static func wrap(_ value: Bool) -> DynamicValue { .bool(value) }

  package static func unwrap(_ value: DynamicValue) -> Bool? {
    if case .bool(let value) = value { value } else { nil }
  }
}

extension StringKind: DynamicKind {
  package static func wrap(_ value: String) -> DynamicValue { .string(value) }

  package static func unwrap(_ value: DynamicValue) -> String? {
    if case .string(let value) = value { value } else { nil }
  }
}

extension BytesKind: DynamicKind {
  package static func wrap(_ value: [UInt8]) -> DynamicValue { .bytes(value) }

  package static func unwrap(_ value: DynamicValue) -> [UInt8]? {
    if case .bytes(let value) = value { value } else { nil }
  }
}
