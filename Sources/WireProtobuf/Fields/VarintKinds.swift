// Integers written as varints.

/// int32: negative numbers take 10 bytes; the upper half of longer varints is dropped.
public struct Int32Kind: PackedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Int32 {
    Int32(truncatingIfNeeded: try reader.varint())
  }

  @inlinable
  public static func size(of value: Int32) -> Int {
    varintSize(UInt64(bitPattern: Int64(value)))
  }

  @inlinable
  public static func write(_ value: Int32, to writer: inout WireWriter) {
    writer.put(varint: UInt64(bitPattern: Int64(value)))
  }
}

extension FieldKind where Self == Int32Kind {
  @inlinable
  public static var int32: Int32Kind { Int32Kind() }
}

/// int64: negative numbers take 10 bytes.
public struct Int64Kind: PackedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Int64 {
    Int64(bitPattern: try reader.varint())
  }

  @inlinable
  public static func size(of value: Int64) -> Int {
    varintSize(UInt64(bitPattern: value))
  }

  @inlinable
  public static func write(_ value: Int64, to writer: inout WireWriter) {
    writer.put(varint: UInt64(bitPattern: value))
  }
}

extension FieldKind where Self == Int64Kind {
  @inlinable
  public static var int64: Int64Kind { Int64Kind() }
}

/// uint32: the upper half of longer varints is dropped.
public struct UInt32Kind: PackedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> UInt32 {
    UInt32(truncatingIfNeeded: try reader.varint())
  }

  @inlinable
  public static func size(of value: UInt32) -> Int {
    varintSize(UInt64(value))
  }

  @inlinable
  public static func write(_ value: UInt32, to writer: inout WireWriter) {
    writer.put(varint: UInt64(value))
  }
}

extension FieldKind where Self == UInt32Kind {
  @inlinable
  public static var uint32: UInt32Kind { UInt32Kind() }
}

/// uint64.
public struct UInt64Kind: PackedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> UInt64 {
    try reader.varint()
  }

  @inlinable
  public static func size(of value: UInt64) -> Int {
    varintSize(value)
  }

  @inlinable
  public static func write(_ value: UInt64, to writer: inout WireWriter) {
    writer.put(varint: value)
  }
}

extension FieldKind where Self == UInt64Kind {
  @inlinable
  public static var uint64: UInt64Kind { UInt64Kind() }
}

/// sint32: ZigZag, small for negative numbers too.
public struct SInt32Kind: PackedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Int32 {
    Int32(truncatingIfNeeded: unZigZag(try reader.varint() & 0xFFFF_FFFF))
  }

  @inlinable
  public static func size(of value: Int32) -> Int {
    varintSize(zigZag(Int64(value)))
  }

  @inlinable
  public static func write(_ value: Int32, to writer: inout WireWriter) {
    writer.put(varint: zigZag(Int64(value)))
  }
}

extension FieldKind where Self == SInt32Kind {
  @inlinable
  public static var sint32: SInt32Kind { SInt32Kind() }
}

/// sint64: ZigZag, small for negative numbers too.
public struct SInt64Kind: PackedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static func read(
    from reader: inout WireReader
  ) throws(DecodingError.Reason) -> Int64 {
    unZigZag(try reader.varint())
  }

  @inlinable
  public static func size(of value: Int64) -> Int {
    varintSize(zigZag(value))
  }

  @inlinable
  public static func write(_ value: Int64, to writer: inout WireWriter) {
    writer.put(varint: zigZag(value))
  }
}

extension FieldKind where Self == SInt64Kind {
  @inlinable
  public static var sint64: SInt64Kind { SInt64Kind() }
}
