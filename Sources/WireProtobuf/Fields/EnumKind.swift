/// A protobuf enum: an open set of numbers, some of which have names. Generated enums conform to
/// it.
public protocol ProtoEnum: Hashable, Sendable, BitwiseCopyable {
  /// The full name in the .proto file, such as "maps.fleetengine.v1.TripStatus".
  static var enumName: String { get }
  /// Creates the value of a number. A number without a name becomes `unrecognized`.
  init(rawValue: Int32)
  /// Creates the value with a name in the .proto file; nil if there is none.
  init?(name: String)
  /// The number on the wire.
  var rawValue: Int32 { get }
  /// The name in the .proto file, such as "ENROUTE_TO_PICKUP"; nil if the number has none.
  var name: String? { get }
}

extension ProtoEnum {
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// `enum`: a varint, sign-extended as `int32`.
public struct EnumKind<Value: ProtoEnum>: VarintKind {
  @inlinable
  init() {}

  @inlinable
  public static var initial: Value { Value(rawValue: 0) }

  @inlinable
  public static func isInitial(_ value: Value) -> Bool { value.rawValue == 0 }

  @inlinable
  public static func value(_ varint: UInt64) -> Value {
    Value(rawValue: Int32(truncatingIfNeeded: varint))
  }

  @inlinable
  public static func varint(_ value: Value) -> UInt64 {
    UInt64(bitPattern: Int64(value.rawValue))
  }
}

extension FieldKind {
  /// An enum, a varint of its number.
  @inlinable
  public static func `enum`<E: ProtoEnum>(_ type: E.Type) -> EnumKind<E>
  where Self == EnumKind<E> {
    EnumKind()
  }
}
