/// Little-endian numbers of four or eight bytes.
public protocol FixedKind: PackedKind {
  /// `UInt32` or `UInt64`.
  associatedtype Bits: FixedWidthInteger

  /// Returns the value with these bits.
  static func value(_ bits: Bits) -> Value
  /// Returns the bits of a value.
  static func bits(_ value: Value) -> Bits
}

extension FixedKind {
  @inlinable
  public static func size(of value: Value) -> Int { MemoryLayout<Bits>.size }
}

extension FixedKind where Bits == UInt32 {
  @inlinable
  public static var wireType: WireType { .fixed32 }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> Value {
    value(try reader.fixed32())
  }

  @inlinable
  public static func write(_ value: Value, to writer: inout WireWriter) {
    writer.put(fixed32: bits(value))
  }
}

extension FixedKind where Bits == UInt64 {
  @inlinable
  public static var wireType: WireType { .fixed64 }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> Value {
    value(try reader.fixed64())
  }

  @inlinable
  public static func write(_ value: Value, to writer: inout WireWriter) {
    writer.put(fixed64: bits(value))
  }
}

/// `fixed32`.
public struct Fixed32Kind: FixedKind, MapKeyKind {
  public typealias Value = UInt32

  @inlinable
  init() {}

  @inlinable
  public static func value(_ bits: UInt32) -> UInt32 { bits }

  @inlinable
  public static func bits(_ value: UInt32) -> UInt32 { value }
}

extension FieldKind where Self == Fixed32Kind {
  /// `fixed32`, 4 bytes.
  @inlinable
  public static var fixed32: Fixed32Kind { Fixed32Kind() }
}

/// `fixed64`.
public struct Fixed64Kind: FixedKind, MapKeyKind {
  public typealias Value = UInt64

  @inlinable
  init() {}

  @inlinable
  public static func value(_ bits: UInt64) -> UInt64 { bits }

  @inlinable
  public static func bits(_ value: UInt64) -> UInt64 { value }
}

extension FieldKind where Self == Fixed64Kind {
  /// `fixed64`, 8 bytes.
  @inlinable
  public static var fixed64: Fixed64Kind { Fixed64Kind() }
}

/// `sfixed32`.
public struct SFixed32Kind: FixedKind, MapKeyKind {
  public typealias Value = Int32

  @inlinable
  init() {}

  @inlinable
  public static func value(_ bits: UInt32) -> Int32 { Int32(bitPattern: bits) }

  @inlinable
  public static func bits(_ value: Int32) -> UInt32 { UInt32(bitPattern: value) }
}

extension FieldKind where Self == SFixed32Kind {
  /// `sfixed32`, 4 bytes.
  @inlinable
  public static var sfixed32: SFixed32Kind { SFixed32Kind() }
}

/// `sfixed64`.
public struct SFixed64Kind: FixedKind, MapKeyKind {
  public typealias Value = Int64

  @inlinable
  init() {}

  @inlinable
  public static func value(_ bits: UInt64) -> Int64 { Int64(bitPattern: bits) }

  @inlinable
  public static func bits(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }
}

extension FieldKind where Self == SFixed64Kind {
  /// `sfixed64`, 8 bytes.
  @inlinable
  public static var sfixed64: SFixed64Kind { SFixed64Kind() }
}

/// `float`.
public struct FloatKind: FixedKind {
  public typealias Value = Float

  @inlinable
  init() {}

  @inlinable
  public static func value(_ bits: UInt32) -> Float { Float(bitPattern: bits) }

  @inlinable
  public static func bits(_ value: Float) -> UInt32 { value.bitPattern }

  /// Negative zero is not the default value, so it is written.
  @inlinable
  public static func isInitial(_ value: Float) -> Bool { value.bitPattern == 0 }
}

extension FieldKind where Self == FloatKind {
  /// `float`, 4 bytes.
  @inlinable
  public static var float: FloatKind { FloatKind() }
}

/// `double`.
public struct DoubleKind: FixedKind {
  public typealias Value = Double

  @inlinable
  init() {}

  @inlinable
  public static func value(_ bits: UInt64) -> Double { Double(bitPattern: bits) }

  @inlinable
  public static func bits(_ value: Double) -> UInt64 { value.bitPattern }

  /// Negative zero is not the default value, so it is written.
  @inlinable
  public static func isInitial(_ value: Double) -> Bool { value.bitPattern == 0 }
}

extension FieldKind where Self == DoubleKind {
  /// `double`, 8 bytes.
  @inlinable
  public static var double: DoubleKind { DoubleKind() }
}
