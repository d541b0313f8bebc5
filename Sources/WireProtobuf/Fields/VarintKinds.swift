/// Integers, booleans and enums, which are encoded as varints.
public protocol VarintKind: PackedKind {
  /// Returns the value of a varint, truncated to the type.
  static func value(_ varint: UInt64) -> Value
  /// Returns the varint of a value.
  static func varint(_ value: Value) -> UInt64
}

extension VarintKind {
  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> Value {
    value(try reader.varint())
  }

  @inlinable
  public static func size(of value: Value) -> Int { varintSize(varint(value)) }

  @inlinable
  public static func write(_ value: Value, to writer: inout WireWriter) {
    writer.put(varint: varint(value))
  }
}

/// `int32`: negative numbers take 10 bytes; bits above the 32nd are dropped.
public struct Int32Kind: VarintKind, MapKeyKind {
  public typealias Value = Int32

  @inlinable
  init() {}

  @inlinable
  public static func value(_ varint: UInt64) -> Int32 { Int32(truncatingIfNeeded: varint) }

  @inlinable
  public static func varint(_ value: Int32) -> UInt64 { UInt64(bitPattern: Int64(value)) }
}

extension FieldKind where Self == Int32Kind {
  /// `int32`, a varint; negative numbers take 10 bytes.
  @inlinable
  public static var int32: Int32Kind { Int32Kind() }
}

/// `int64`: negative numbers take 10 bytes.
public struct Int64Kind: VarintKind, MapKeyKind {
  public typealias Value = Int64

  @inlinable
  init() {}

  @inlinable
  public static func value(_ varint: UInt64) -> Int64 { Int64(bitPattern: varint) }

  @inlinable
  public static func varint(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }
}

extension FieldKind where Self == Int64Kind {
  /// `int64`, a varint; negative numbers take 10 bytes.
  @inlinable
  public static var int64: Int64Kind { Int64Kind() }
}

/// `uint32`: bits above the 32nd are dropped.
public struct UInt32Kind: VarintKind, MapKeyKind {
  public typealias Value = UInt32

  @inlinable
  init() {}

  @inlinable
  public static func value(_ varint: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: varint) }

  @inlinable
  public static func varint(_ value: UInt32) -> UInt64 { UInt64(value) }
}

extension FieldKind where Self == UInt32Kind {
  /// `uint32`, a varint.
  @inlinable
  public static var uint32: UInt32Kind { UInt32Kind() }
}

/// `uint64`.
public struct UInt64Kind: VarintKind, MapKeyKind {
  public typealias Value = UInt64

  @inlinable
  init() {}

  @inlinable
  public static func value(_ varint: UInt64) -> UInt64 { varint }

  @inlinable
  public static func varint(_ value: UInt64) -> UInt64 { value }
}

extension FieldKind where Self == UInt64Kind {
  /// `uint64`, a varint.
  @inlinable
  public static var uint64: UInt64Kind { UInt64Kind() }
}

/// `sint32`: ZigZag, which keeps small negative numbers short.
public struct SInt32Kind: VarintKind, MapKeyKind {
  public typealias Value = Int32

  @inlinable
  init() {}

  @inlinable
  public static func value(_ varint: UInt64) -> Int32 {
    Int32(truncatingIfNeeded: unZigZag(varint & 0xFFFF_FFFF))
  }

  @inlinable
  public static func varint(_ value: Int32) -> UInt64 { zigZag(Int64(value)) }
}

extension FieldKind where Self == SInt32Kind {
  /// `sint32`, a varint in ZigZag encoding.
  @inlinable
  public static var sint32: SInt32Kind { SInt32Kind() }
}

/// `sint64`: ZigZag, which keeps small negative numbers short.
public struct SInt64Kind: VarintKind, MapKeyKind {
  public typealias Value = Int64

  @inlinable
  init() {}

  @inlinable
  public static func value(_ varint: UInt64) -> Int64 { unZigZag(varint) }

  @inlinable
  public static func varint(_ value: Int64) -> UInt64 { zigZag(value) }
}

extension FieldKind where Self == SInt64Kind {
  /// `sint64`, a varint in ZigZag encoding.
  @inlinable
  public static var sint64: SInt64Kind { SInt64Kind() }
}
