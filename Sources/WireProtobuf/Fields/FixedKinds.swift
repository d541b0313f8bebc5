// Numbers of four or eight bytes, little-endian.

/// fixed32.
public struct Fixed32Kind: FixedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .fixed32 }

  @inlinable
  public static var size: Int { 4 }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> UInt32 {
    try reader.fixed32()
  }

  @inlinable
  public static func write(_ value: UInt32, to writer: inout WireWriter) {
    writer.put(fixed32: value)
  }
}

extension FieldKind where Self == Fixed32Kind {
  @inlinable
  public static var fixed32: Fixed32Kind { Fixed32Kind() }
}

/// fixed64.
public struct Fixed64Kind: FixedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .fixed64 }

  @inlinable
  public static var size: Int { 8 }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> UInt64 {
    try reader.fixed64()
  }

  @inlinable
  public static func write(_ value: UInt64, to writer: inout WireWriter) {
    writer.put(fixed64: value)
  }
}

extension FieldKind where Self == Fixed64Kind {
  @inlinable
  public static var fixed64: Fixed64Kind { Fixed64Kind() }
}

/// sfixed32.
public struct SFixed32Kind: FixedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .fixed32 }

  @inlinable
  public static var size: Int { 4 }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Int32 {
    Int32(bitPattern: try reader.fixed32())
  }

  @inlinable
  public static func write(_ value: Int32, to writer: inout WireWriter) {
    writer.put(fixed32: UInt32(bitPattern: value))
  }
}

extension FieldKind where Self == SFixed32Kind {
  @inlinable
  public static var sfixed32: SFixed32Kind { SFixed32Kind() }
}

/// sfixed64.
public struct SFixed64Kind: FixedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .fixed64 }

  @inlinable
  public static var size: Int { 8 }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Int64 {
    Int64(bitPattern: try reader.fixed64())
  }

  @inlinable
  public static func write(_ value: Int64, to writer: inout WireWriter) {
    writer.put(fixed64: UInt64(bitPattern: value))
  }
}

extension FieldKind where Self == SFixed64Kind {
  @inlinable
  public static var sfixed64: SFixed64Kind { SFixed64Kind() }
}

/// float.
public struct FloatKind: FixedKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .fixed32 }

  @inlinable
  public static var size: Int { 4 }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Float {
    Float(bitPattern: try reader.fixed32())
  }

  @inlinable
  public static func write(_ value: Float, to writer: inout WireWriter) {
    writer.put(fixed32: value.bitPattern)
  }

  /// Negative zero is not the default: it is written.
  @inlinable
  public static func isInitial(_ value: Float) -> Bool { value.bitPattern == 0 }
}

extension FieldKind where Self == FloatKind {
  @inlinable
  public static var float: FloatKind { FloatKind() }
}

/// double.
public struct DoubleKind: FixedKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .fixed64 }

  @inlinable
  public static var size: Int { 8 }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Double {
    Double(bitPattern: try reader.fixed64())
  }

  @inlinable
  public static func write(_ value: Double, to writer: inout WireWriter) {
    writer.put(fixed64: value.bitPattern)
  }

  /// Negative zero is not the default: it is written.
  @inlinable
  public static func isInitial(_ value: Double) -> Bool { value.bitPattern == 0 }
}

extension FieldKind where Self == DoubleKind {
  @inlinable
  public static var double: DoubleKind { DoubleKind() }
}
