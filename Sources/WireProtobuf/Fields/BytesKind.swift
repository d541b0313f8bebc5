/// `bytes`.
public struct BytesKind: ScalarKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var initial: [UInt8] { [] }

  @inlinable
  public static func isInitial(_ value: [UInt8]) -> Bool { value.isEmpty }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> [UInt8] {
    try reader.bytes()
  }

  @inlinable
  public static func size(of value: [UInt8]) -> Int {
    varintSize(UInt64(truncatingIfNeeded: value.count)) &+ value.count
  }

  @inlinable
  public static func write(_ value: [UInt8], to writer: inout WireWriter) throws(WireWriter.Full) {
    writer.put(varint: UInt64(truncatingIfNeeded: value.count))
    try writer.put(bytes: value)
  }
}

extension FieldKind where Self == BytesKind {
  /// `bytes`, with a length before them.
  @inlinable
  public static var bytes: BytesKind { BytesKind() }
}
