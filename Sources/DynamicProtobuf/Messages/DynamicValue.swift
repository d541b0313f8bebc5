/// One value of a field.
package enum DynamicValue: Sendable {
  case int32(Int32)
  case int64(Int64)
  case uint32(UInt32)
  case uint64(UInt64)
  case float(Float)
  case double(Double)
  case bool(Bool)
  case string(String)
  /// Bytes, or a string that is not UTF-8 where that is allowed.
  case bytes([UInt8])
  /// The number of an enum value.
  case `enum`(Int32)
  case message(DynamicMessage)
}

/// The content of a field.
enum FieldValue: Sendable {
  case one(DynamicValue)
  case list([DynamicValue])
  case map([MapKey: DynamicValue])
}

/// The key of a map entry. Strings are compared by their bytes.
enum MapKey: Hashable, Sendable {
  case bool(Bool)
  case signed(Int64)
  case unsigned(UInt64)
  case utf8([UInt8])

  /// Nil for a value that is not a valid key type.
  init?(_ value: DynamicValue) {
    switch value {
    case .int32(let value): self = .signed(Int64(value))
    case .int64(let value): self = .signed(value)
    case .uint32(let value): self = .unsigned(UInt64(value))
    case .uint64(let value): self = .unsigned(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .utf8(Array(value.utf8))
    case .bytes(let value): self = .utf8(value)
    case .float, .double, .enum, .message: return nil
    }
  }

  /// The order in which map entries are written.
  static func < (a: MapKey, b: MapKey) -> Bool {
    switch (a, b) {
    case (.bool(let a), .bool(let b)): !a && b
    case (.signed(let a), .signed(let b)): a < b
    case (.unsigned(let a), .unsigned(let b)): a < b
    case (.utf8(let a), .utf8(let b)): a.lexicographicallyPrecedes(b)
    default: false
    }
  }

  /// The key as the name of a JSON member; nil for text that is not UTF-8.
  var jsonName: String? {
    switch self {
    case .bool(let value): value ? "true" : "false"
    case .signed(let value): String(value)
    case .unsigned(let value): String(value)
    case .utf8(let bytes): String(validating: bytes, as: UTF8.self)
    }
  }
}
