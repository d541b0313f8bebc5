/// The source from which generated code reads the fields of a message, in either format.
///
/// A message asks for each field in turn and passes it to the method for its type:
///
///     while let field = try decoder.nextField(&unknownFields) {
///       switch field {
///       case 1: try decoder.scalar(&name, .string)
///       case 5: try decoder.message(&pickupPoint)
///       default: decoder.skipField()
///       }
///     }
///
/// The methods return whether the field had a value.
public protocol FieldDecoder {
  /// The error for input that is malformed or exceeds a limit, in the format that is read.
  associatedtype Failure: Error

  /// Returns the number of the next field; nil at the end of the message.
  ///
  /// Skipped fields are moved to the message's unknown fields.
  mutating func nextField(_ unknownFields: inout UnknownFields) throws(Failure) -> Int?
  /// Does the same for a leaf message, which keeps no unknown fields.
  mutating func nextLeafField() throws(Failure) -> Int?
  /// Skips a field that the message does not declare.
  mutating func skipField()

  /// Reads a scalar without presence.
  @discardableResult
  mutating func scalar<K: FieldKind>(_ value: inout K.Value, _ kind: K) throws(Failure) -> Bool
  /// Reads a scalar with presence.
  @discardableResult
  mutating func optional<K: FieldKind>(_ value: inout K.Value?, _ kind: K) throws(Failure) -> Bool
  /// Reads a scalar inside a message of google/protobuf/wrappers.proto.
  @discardableResult
  mutating func wrapped<K: ScalarKind>(_ value: inout K.Value?, _ kind: K) throws(Failure) -> Bool
  /// Appends elements of a repeated field that cannot be packed: strings, bytes.
  @discardableResult
  mutating func repeated<K: FieldKind>(_ values: inout [K.Value], _ kind: K) throws(Failure) -> Bool
  /// Appends elements of a repeated field of numbers, booleans or enums, packed or not.
  @discardableResult
  mutating func repeated<K: PackedKind>(_ values: inout [K.Value], _ kind: K) throws(Failure)
    -> Bool

  /// Reads a sub-message. In the binary form, it is merged into the previous value.
  @discardableResult
  mutating func message<M: Message>(_ value: inout M?) throws(Failure) -> Bool
  /// Reads a leaf message. In the binary form, it is merged into the previous value.
  @discardableResult
  mutating func message<M: LeafMessage>(_ value: inout M?) throws(Failure) -> Bool
  /// Appends elements of a repeated message field.
  @discardableResult
  mutating func messages<M: Message>(_ values: inout [M]) throws(Failure) -> Bool
  /// Appends elements of a repeated field of leaf messages.
  @discardableResult
  mutating func messages<M: LeafMessage>(_ values: inout [M]) throws(Failure) -> Bool
  /// Appends elements of a repeated field of messages with a fixed layout.
  @discardableResult
  mutating func messages<M: FixedLayoutMessage>(_ values: inout [M]) throws(Failure) -> Bool

  /// Adds entries to a map. In the binary form, the last entry with a key applies; in JSON, a second one is an error.
  @discardableResult
  mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: inout [K.Value: V.Value], _ key: K, _ value: V
  ) throws(Failure) -> Bool

  /// Sets a oneof to the member that was just read.
  ///
  /// - Parameters:
  ///   - oneof: the storage of the oneof.
  ///   - choice: the member and its value.
  ///   - leaves: the numbers of the other members that are leaf messages.
  mutating func choose<Choice>(
    _ oneof: inout Choice?, _ choice: Choice, insteadOf leaves: Int...
  ) throws(Failure)
}
