/// A protobuf message. Generated structs conform to it.
///
/// Use the initializers and methods of the extensions. The requirements after the first three belong to
/// the codec: the plugin generates some of them, and the others have default implementations.
public protocol Message: Hashable, Sendable {
  /// The full name in the .proto file, such as "maps.fleetengine.v1.Trip".
  static var messageName: String { get }
  /// The fields by number, for error messages and JSON.
  static var fields: FieldTable { get }
  /// Creates a message with no field set.
  init()

  /// Reads fields up to the end of the message and merges them into this one.
  mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure)
  /// Passes every field to a visitor, in the order of their numbers.
  func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure)

  /// Reads the binary form up to its end and merges it into this message.
  mutating func read(from reader: inout WireReader) throws(DecodingError.Reason)
  /// Adds the size of the binary form, or an upper bound of it, in bytes.
  func measure(with counter: inout SizeCounter)
  /// Writes the binary form.
  func write(to writer: inout WireWriter) throws(WireWriter.Full)
  /// Writes the JSON value of the message.
  func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError)
  /// Reads the JSON value of the message. No field of this message may be set.
  mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason)
}

// Default implementations of the writing methods would copy sub-messages, so the plugin generates those
// methods (docs/decisions/codec/generated-forwarding.md).
extension Message {
  @inlinable
  public mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) {
    try decode(from: &reader)
  }

  @inlinable
  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    try reader.beginObject(Self.fields)
    try decode(from: &reader)
    reader.endObject()
  }
}

extension Message {
  /// Returns a message with the fields that the closure sets.
  ///
  /// Unlike the memberwise initializer, it also reaches nested messages and computed properties.
  @inlinable
  public static func with<Failure: Error>(
    _ set: (inout Self) throws(Failure) -> Void
  ) throws(Failure) -> Self {
    var message = Self()
    try set(&message)
    return message
  }
}

extension Optional where Wrapped: Message {
  /// The sub-message, or an empty one if it is not set. Writing to it sets it.
  @inlinable
  public var orDefault: Wrapped {
    get { self ?? Wrapped() }
    _modify {
      var message = self ?? Wrapped()
      self = nil
      defer { self = message }
      yield &message
    }
  }
}

/// A message of numbers, booleans and enums alone (`LatLng`, `Timestamp`).
///
/// It is trivially copyable, so arrays of it are flat. It cannot store unknown fields. The enclosing
/// message keeps them.
public protocol LeafMessage: Message, BitwiseCopyable {}

/// A leaf message of fixed-size fields (`LatLng`).
///
/// With every field set, the bytes of two messages differ only in the values, so runs of such messages
/// are read and written in one loop.
public protocol FixedLayoutMessage: LeafMessage {
  /// The size of the message with every field set, in bytes.
  static var _fixedLayoutSize: Int { get }
  /// Whether the tags in the bytes are those of a message with every field set, in order.
  static func _hasFixedLayout(_ bytes: _FixedLayoutReader) -> Bool
  /// Reads the fields out of bytes for which `_hasFixedLayout` was true.
  init(_fixedLayout bytes: _FixedLayoutReader)
  /// Whether every field is set, that is, not zero.
  var _fillsFixedLayout: Bool { get }
  /// Writes tags and fields.
  func _write(fixedLayout bytes: _FixedLayoutWriter)
}
