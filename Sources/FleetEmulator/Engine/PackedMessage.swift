import WireProtobuf

/// A message in binary form, which takes less memory: a provider may have a million trips or tasks.
struct PackedMessage<Content: Message>: Sendable, Equatable {
  let bytes: [UInt8]

  init(_ content: Content) { bytes = content.serializedBytes() }

  /// The bytes are those of a message, so that decoding does not fail.
  var content: Content { (try? Content(serializedBytes: bytes)) ?? Content() }
}
