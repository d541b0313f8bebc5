/// What generated code shows the fields of a message to, in the order of their numbers: a size
/// counter, a writer.
///
/// Fields without presence are skipped when they hold their default.
public protocol FieldVisitor {
  associatedtype Failure: Error

  mutating func scalar<K: FieldKind>(
    _ value: K.Value, _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)
  /// A scalar with presence, or inside a oneof.
  mutating func optional<K: FieldKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)
  /// A scalar inside a message of google/protobuf/wrappers.proto.
  mutating func wrapped<K: ScalarKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields) throws(Failure)
  /// Each element with its own tag.
  mutating func repeated<K: FieldKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)
  /// All elements under one tag.
  mutating func packed<K: PackedKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString) throws(Failure)

  mutating func message<M: Message>(
    _ value: M?, _ number: Int, _ name: StaticString) throws(Failure)
  mutating func message<M: LeafMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Failure)
  mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString) throws(Failure)
  mutating func messages<M: LeafMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Failure)
  mutating func messages<M: FixedLayoutMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Failure)

  mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: [K.Value: V.Value], _ key: K, _ value: V, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields) throws(Failure)

  mutating func unknown(_ fields: UnknownFields) throws(Failure)
}
