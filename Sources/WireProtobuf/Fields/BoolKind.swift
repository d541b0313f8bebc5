/// `bool`: any varint other than zero is true.
public struct BoolKind: VarintKind, MapKeyKind {
  @inlinable
  init() {}

  @inlinable
  public static var initial: Bool { false }

  @inlinable
  public static func isInitial(_ value: Bool) -> Bool { !value }

  @inlinable
  public static func value(_ varint: UInt64) -> Bool { varint != 0 }

  @inlinable
  public static func varint(_ value: Bool) -> UInt64 { value ? 1 : 0 }

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
  /// `bool`, a varint of 0 or 1.
  @inlinable
  public static var bool: BoolKind { BoolKind() }
}
