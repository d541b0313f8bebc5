/// A message that is the value of a map.
public struct MessageKind<Value: Message>: FieldKind {
  @inlinable
  init() {}

  @inlinable
  public static var wireType: WireType { .lengthDelimited }

  @inlinable
  public static var initial: Value { Value() }

  /// Messages have presence, so an empty one is written.
  @inlinable
  public static func isInitial(_ value: Value) -> Bool { false }

  @inlinable
  public static func read(from reader: inout WireReader) throws(DecodingError.Reason) -> Value {
    var value = Value()
    try merge(into: &value, from: &reader)
    return value
  }

  @inlinable
  public static func merge(
    into value: inout Value, from reader: inout WireReader
  ) throws(DecodingError.Reason) {
    let outer = unsafe try reader.enterMessage()
    try value.read(from: &reader)
    unsafe reader.leaveMessage(outer)
  }

  @inlinable
  public static func measure(
    _ value: Value, _ unknown: [UInt8], with counter: inout SizeCounter
  ) {
    let start = counter.total
    value.measure(with: &counter)
    counter.add(unknown.count)
    counter.close(since: start, 0)
  }

  @inlinable
  public static func write(
    _ value: Value, _ unknown: [UInt8], to writer: inout WireWriter
  ) throws(WireWriter.Full) {
    let open = writer.open()
    try value.write(to: &writer)
    try writer.put(bytes: unknown)
    try writer.close(open)
  }

  @inlinable
  public static func writeJSON(
    _ value: Value, to writer: inout JSONWriter
  ) throws(JSONEncodingError) {
    try value.writeJSON(to: &writer)
  }

  @inlinable
  public static func readJSON(
    from reader: inout JSONReader
  ) throws(JSONDecodingError.Reason) -> Value? {
    try reader.enterMessages()
    var value = Value()
    try value.readJSON(from: &reader)
    reader.leaveMessages()
    return value
  }

  /// Only google.protobuf.Value has a null.
  @inlinable
  public static var hasJSONNull: Bool { Value.self == WireProtobuf.Value.self }
}

extension FieldKind {
  /// A message, with its length before it.
  @inlinable
  public static func message<M: Message>(_ type: M.Type) -> MessageKind<M>
  where Self == MessageKind<M> {
    MessageKind()
  }
}
