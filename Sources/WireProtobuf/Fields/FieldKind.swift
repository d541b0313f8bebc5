/// The type of a field's value in the .proto file: `int32`, `sint32` and `sfixed32` are three
/// kinds with one Swift type.
///
/// A kind is a set of functions, not a value: they read, measure and write binary and JSON.
public protocol FieldKind: Sendable {
  /// The type of a value in Swift.
  associatedtype Value: Hashable & Sendable

  /// The wire type of an unpacked value.
  static var wireType: WireType { get }
  /// The default value of a field without presence.
  static var initial: Value { get }
  /// Whether a field without presence is omitted if it has this value.
  static func isInitial(_ value: Value) -> Bool

  /// Reads a value after its tag.
  static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> Value
  /// Reads a value into the previous one: a message is merged, other values are replaced.
  static func merge(
    into value: inout Value, from reader: inout WireReader
  ) throws(DecodingError.Reason)
  /// Adds the size of the value without its tag, in bytes.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - unknown: unknown fields to write at the end of a leaf message.
  ///   - counter: receives the size.
  static func measure(_ value: Value, _ unknown: [UInt8], with counter: inout SizeCounter)
  /// Writes a value without its tag. A leaf message is followed by its unknown fields.
  static func write(
    _ value: Value, _ unknown: [UInt8], to writer: inout WireWriter
  ) throws(WireWriter.Full)

  /// Writes a value as JSON.
  static func writeJSON(_ value: Value, to writer: inout JSONWriter) throws(JSONEncodingError)
  /// Reads a JSON value; returns nil if the value is to be ignored.
  static func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) -> Value?
  /// Whether JSON's `null` is a value of this kind instead of an absent field.
  static var hasJSONNull: Bool { get }
}

/// A kind whose values are not messages.
public protocol ScalarKind: FieldKind {
  /// Returns the size of a value in bytes, without its tag.
  static func size(of value: Value) -> Int
  /// Writes a value without its tag.
  static func write(_ value: Value, to writer: inout WireWriter) throws(WireWriter.Full)
}

/// Numbers, booleans and enums, whose repeated fields may be packed.
public protocol PackedKind: ScalarKind {}

/// The key types of maps: integers, booleans and strings.
public protocol MapKeyKind: ScalarKind {
  /// Whether two keys that are equal in Swift are also the same key in protobuf.
  static func areSame(_ a: Value, _ b: Value) -> Bool
  /// The number of steps to hash and compare a key, beyond those linear in its size.
  static func hashingCost(_ value: Value) -> Int
  /// The order in which map entries are written.
  static func isOrdered(_ a: Value, before b: Value) -> Bool
  /// The key as the name of a JSON member, without quotes.
  static func jsonKey(_ value: Value) -> String
  /// The key for the name of a JSON member; nil if the name is not a valid key.
  static func key(json name: String) -> Value?
}

extension FieldKind {
  public static var hasJSONNull: Bool { false }
}

extension ScalarKind {
  @inlinable
  public static func merge(
    into value: inout Value, from reader: inout WireReader
  ) throws(DecodingError.Reason) {
    value = try read(from: &reader)
  }

  @inlinable @inline(__always)
  public static func measure(
    _ value: Value, _ unknown: [UInt8], with counter: inout SizeCounter
  ) {
    counter.add(size(of: value))
  }

  @inlinable @inline(__always)
  public static func write(
    _ value: Value, _ unknown: [UInt8], to writer: inout WireWriter
  ) throws(WireWriter.Full) {
    try write(value, to: &writer)
  }
}

extension ScalarKind where Value: AdditiveArithmetic {
  @inlinable
  public static var initial: Value { .zero }

  @inlinable
  public static func isInitial(_ value: Value) -> Bool { value == .zero }
}

extension MapKeyKind {
  /// The error for a name that is not a key. Every name is a string key.
  @usableFromInline
  package static var invalidKey: JSONDecodingError.Reason {
    .expected(self is BoolKind.Type ? .boolKey : .integerKey)
  }

  @inlinable
  public static func areSame(_ a: Value, _ b: Value) -> Bool { true }

  @inlinable
  public static func hashingCost(_ value: Value) -> Int { 0 }
}

extension MapKeyKind where Value: FixedWidthInteger {
  @inlinable
  public static func isOrdered(_ a: Value, before b: Value) -> Bool { a < b }

  @inlinable
  public static func jsonKey(_ value: Value) -> String { String(value) }

  @inlinable
  public static func key(json name: String) -> Value? {
    name.utf8.first == UInt8(ascii: "+") ? nil : Value(name)
  }
}
