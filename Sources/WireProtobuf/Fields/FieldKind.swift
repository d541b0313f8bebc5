/// The type of a field's value as the .proto file says it: `int32`, `sint32` and `sfixed32` are
/// three kinds with one Swift type.
///
/// A kind is a name for a set of functions, not a value: read, measure and write, binary and JSON.
public protocol FieldKind: Sendable {
  associatedtype Value: Hashable & Sendable

  static var wireType: WireType { get }
  /// The default that fields without presence have.
  static var initial: Value { get }
  /// Whether a field without presence is left out with this value.
  static func isInitial(_ value: Value) -> Bool

  static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> Value
  /// Reads a value into the one before: a message is merged, all else is replaced.
  static func merge(
    into value: inout Value, from reader: inout WireReader
  ) throws(DecodingError.Reason)
  /// Adds the size of the value, without its tag, and of unknown fields to write at the end of a
  /// leaf message.
  static func measure(_ value: Value, _ unknown: [UInt8], with counter: inout SizeCounter)
  static func write(
    _ value: Value, _ unknown: [UInt8], to writer: inout WireWriter
  ) throws(WireWriter.Full)

  static func writeJSON(_ value: Value, to writer: inout JSONWriter) throws(JSONEncodingError)
  /// - Returns: nil when the value is one to ignore.
  static func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) -> Value?
  /// Whether `null` in JSON is a value of the kind, and not the lack of one.
  static var hasJSONNull: Bool { get }
}

/// A kind whose values stand alone: everything but messages.
public protocol ScalarKind: FieldKind {
  static func size(of value: Value) -> Int
  static func write(_ value: Value, to writer: inout WireWriter) throws(WireWriter.Full)
}

/// Numbers, booleans and enums: repeated fields of them may be packed under one tag.
public protocol PackedKind: ScalarKind {}

/// What a map may have as its key: integers, booleans and strings.
public protocol MapKeyKind: ScalarKind {
  /// Whether keys that are equal in Swift are the same.
  static func areSame(_ a: Value, _ b: Value) -> Bool
  /// What it takes to hash and compare a key, beyond what is linear in its size: a number of steps.
  static func hashingCost(_ value: Value) -> Int
  /// The order in which maps are written.
  static func isOrdered(_ a: Value, before b: Value) -> Bool
  /// The key as the name of a JSON field, without quotes.
  static func jsonKey(_ value: Value) -> String
  /// The key of a name; nil when it is none.
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
