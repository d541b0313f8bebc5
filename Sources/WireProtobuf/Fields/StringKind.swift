/// string: UTF-8, checked when read.
public struct StringKind: MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var initial: String { "" }

  @inlinable
  public static func isInitial(_ value: String) -> Bool { value.isEmpty }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> String {
    try reader.string()
  }

  @inlinable
  public static func size(of value: String) -> Int {
    let count = value.utf8.count
    return varintSize(UInt64(truncatingIfNeeded: count)) &+ count
  }

  @inlinable
  public static func write(_ value: String, to writer: inout WireWriter) throws(WireWriter.Full) {
    try writer.put(string: value)
  }

  public static func areSame(_ a: String, _ b: String) -> Bool {
    a.utf8.elementsEqual(b.utf8)
  }

  /// By their bytes.
  public static func isOrdered(_ a: String, before b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  @inlinable
  public static func jsonKey(_ value: String) -> String { value }

  @inlinable
  public static func key(json name: String) -> String? { name }
}

extension FieldKind where Self == StringKind {
  @inlinable
  public static var string: StringKind { StringKind() }
}
