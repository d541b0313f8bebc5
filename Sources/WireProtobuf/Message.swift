/// A protobuf message. Generated structs conform to it.
///
/// The requirements after the first three belong to the codec: the plugin generates them and the
/// extensions call them.
public protocol Message: Hashable, Sendable {
  /// The full name in the .proto file, such as "maps.fleetengine.v1.Trip".
  static var messageName: String { get }
  /// The fields by number, for error messages and JSON.
  static var fields: FieldTable { get }
  /// Creates a message with no field set.
  init()

  /// Reads fields up to the end of the message and merges them into this one.
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

/// A message of numbers, booleans and enums alone (`LatLng`, `Timestamp`): trivially copyable, so
/// arrays of it are flat. Its unknown fields are kept by the message around it.
public protocol PlainMessage: Message, BitwiseCopyable {}

/// A plain message of fixed-size fields (`LatLng`). With every field set its bytes differ from
/// one value to the next in the numbers only, so that runs of it are read and written in one go.
public protocol RecordMessage: PlainMessage {
  /// How many bytes the message takes with every field set.
  static var recordSize: Int { get }
  /// Whether the tags in the bytes are those of a message with every field set, in order.
  static func isRecord(_ bytes: RecordBytes) -> Bool
  /// Reads the fields out of bytes for which ``isRecord(_:)`` was true.
  init(record bytes: RecordBytes)
  /// Whether every field is set, that is, not zero.
  var fillsRecord: Bool { get }
  /// Writes tags and fields.
  func write(record bytes: RecordBytesWriter)
}
