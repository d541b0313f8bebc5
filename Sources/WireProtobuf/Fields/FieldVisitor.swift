/// The destination to which generated code passes the fields of a message, in order of their
/// numbers: a size counter or a writer.
///
/// Fields without presence are skipped if they have their default value.
public protocol FieldVisitor {
  /// The error that ends the visit; `Never` if no visit fails.
  associatedtype Failure: Error

  /// Visits a scalar without presence.
  mutating func scalar<K: FieldKind>(
    _ value: K.Value, _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)
  /// Visits a scalar with presence, or inside a oneof.
  mutating func optional<K: FieldKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)
  /// Visits a scalar inside a message of google/protobuf/wrappers.proto.
  mutating func wrapped<K: ScalarKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields) throws(Failure)
  /// Visits a repeated field in which each element has its own tag.
  mutating func repeated<K: FieldKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)
  /// Visits a repeated field with all elements under one tag.
  mutating func packed<K: PackedKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)

  /// Visits a sub-message; nil is skipped.
  mutating func message<M: Message>(
    _ value: M?, _ number: Int, _ name: StaticString) throws(Failure)
  /// Visits a leaf message, whose unknown fields the enclosing message keeps; nil is skipped.
  mutating func message<M: LeafMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Failure)
  /// Visits a repeated message field.
  mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString) throws(Failure)
  /// Visits a repeated field of leaf messages, whose unknown fields the enclosing message keeps.
  mutating func messages<M: LeafMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Failure)
  /// Visits a repeated field of messages with a fixed layout.
  mutating func messages<M: FixedLayoutMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Failure)

  /// Visits a map. `unknownFields` has entries whose keys Swift considers equal to other keys.
  mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: [K.Value: V.Value], _ key: K, _ value: V, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields) throws(Failure)

  /// Visits the unknown fields of the message, after all known ones.
  mutating func unknown(_ fields: UnknownFields) throws(Failure)
}
