/// bool: any varint other than zero is true.
public struct BoolKind: PackedKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .varint }

  @inlinable
  public static var initial: Bool { false }

  @inlinable
  public static func isInitial(_ value: Bool) -> Bool { !value }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> Bool {
    try reader.varint() != 0
  }

  @inlinable
  public static func size(of value: Bool) -> Int { 1 }

  @inlinable
  public static func write(_ value: Bool, to writer: inout WireWriter) {
    writer.put(varint: value ? 1 : 0)
  }

  @inlinable
  public static func isOrdered(_ a: Bool, before b: Bool) -> Bool { !a && b }

  @inlinable
  public static func jsonKey(_ value: Bool) -> String { value ? "true" : "false" }

  @inlinable
  public static func key(json name: String) -> Bool? {
    name.utf8.count <= 5 ? Bool(name) : nil
  }
}

extension FieldKind where Self == BoolKind {
  @inlinable
  public static var bool: BoolKind { BoolKind() }
}
