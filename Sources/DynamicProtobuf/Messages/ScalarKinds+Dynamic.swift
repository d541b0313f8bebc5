import ProtobufDescriptors
package import WireProtobuf

/// A scalar kind whose values can be stored without their type.
package protocol DynamicKind: ScalarKind {
  static func wrap(_ value: Value) -> DynamicValue
  /// Returns nil for a value of another kind.
  static func unwrap(_ value: DynamicValue) -> Value?
  /// Writes the binary form without a tag.
  static func put(_ value: Value, to output: inout [UInt8])
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

// MARK: Binary form

extension DynamicKind where Self: VarintKind {
  package static func put(_ value: Value, to output: inout [UInt8]) {
    output.put(varint: varint(value))
  }
}

extension DynamicKind where Self: FixedKind {
  package static func put(_ value: Value, to output: inout [UInt8]) {
    let bits = bits(value)
    for shift in stride(from: 0, to: Bits.bitWidth, by: 8) {
      output.append(UInt8(truncatingIfNeeded: bits >> Bits(shift)))
    }
  }
}

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

  package static func put(_ value: String, to output: inout [UInt8]) {
    output.put(delimited: Array(value.utf8))
  }
}

extension BytesKind: DynamicKind {
  package static func wrap(_ value: [UInt8]) -> DynamicValue { .bytes(value) }

  package static func unwrap(_ value: DynamicValue) -> [UInt8]? {
    if case .bytes(let value) = value { value } else { nil }
  }

  package static func put(_ value: [UInt8], to output: inout [UInt8]) {
    output.put(delimited: value)
  }
}

extension [UInt8] {
  mutating func put(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func put(tag number: Int, _ wireType: WireType) {
    put(varint: UInt64(number) << 3 | UInt64(wireType.rawValue))
  }

  /// Writes a message as an item of a message set.
  ///
  /// - Parameter type: the field number of the extension.
  mutating func put(messageSetItem type: Int, _ message: [UInt8]) {
    put(tag: 1, .startGroup)
    put(tag: 2, .varint)
    put(varint: UInt64(type))
    put(tag: 3, .lengthDelimited)
    put(delimited: message)
    put(tag: 1, .endGroup)
  }

  mutating func put(delimited bytes: [UInt8]) {
    put(varint: UInt64(bytes.count))
    append(contentsOf: bytes)
  }
}
