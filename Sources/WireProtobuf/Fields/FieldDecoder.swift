/// What generated code reads the fields of a message from, whatever the format.
///
/// A message asks for one field after the other and hands each to the method for its type:
///
///     while let field = try decoder.nextField(&unknownFields) {
///       switch field {
///       case 1: try decoder.scalar(&name, .string)
///       case 5: try decoder.message(&pickupPoint)
///       default: decoder.skipField()
///       }
///     }
///
/// The methods return whether a value was there.
public protocol FieldDecoder {
  associatedtype Failure: Error

  /// The number of the next field; nil at the end of the message.
  ///
  /// Fields the message did not want are moved to its unknown fields.
  mutating func nextField(_ unknownFields: inout UnknownFields) throws(Failure) -> Int?
  /// The same for a leaf message, which keeps no unknown fields.
  mutating func nextLeafField() throws(Failure) -> Int?
  /// Leaves a field that the message does not have.
  mutating func skipField()

  @discardableResult
  mutating func scalar<K: FieldKind>(_ value: inout K.Value, _ kind: K) throws(Failure) -> Bool
  /// A scalar with presence.
  @discardableResult
  mutating func optional<K: FieldKind>(_ value: inout K.Value?, _ kind: K) throws(Failure) -> Bool
  /// A scalar inside a message of google/protobuf/wrappers.proto.
  @discardableResult
  mutating func wrapped<K: ScalarKind>(_ value: inout K.Value?, _ kind: K) throws(Failure) -> Bool
  @discardableResult
  mutating func repeated<K: FieldKind>(_ values: inout [K.Value], _ kind: K) throws(Failure) -> Bool
  @discardableResult
  mutating func repeated<K: PackedKind>(_ values: inout [K.Value], _ kind: K) throws(Failure)
    -> Bool

  @discardableResult
  mutating func message<M: Message>(_ value: inout M?) throws(Failure) -> Bool
  @discardableResult
  mutating func message<M: LeafMessage>(_ value: inout M?) throws(Failure) -> Bool
  @discardableResult
  mutating func messages<M: Message>(_ values: inout [M]) throws(Failure) -> Bool
  @discardableResult
  mutating func messages<M: LeafMessage>(_ values: inout [M]) throws(Failure) -> Bool
  @discardableResult
  mutating func messages<M: FixedLayoutMessage>(_ values: inout [M]) throws(Failure) -> Bool

  @discardableResult
  mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: inout [K.Value: V.Value], _ key: K, _ value: V
  ) throws(Failure) -> Bool

  /// Sets a oneof to what was just read, instead of its other members: `leaves` has the numbers of
  /// those that are leaf messages.
  mutating func choose<Choice>(
    _ oneof: inout Choice?, _ choice: Choice, insteadOf leaves: Int...
  ) throws(Failure)
}
