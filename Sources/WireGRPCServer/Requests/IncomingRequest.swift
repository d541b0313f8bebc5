import WireGRPC

/// The messages of one request, as they arrive.
package struct IncomingRequest {
  /// The approximate number of bytes in memory for the messages not taken yet.
  private(set) var size = 0
  /// Bytes decompressed so far.
  private(set) var decompressedSize = 0
  /// The messages that have arrived and were not taken.
  private(set) var messages: [[UInt8]] = []
  /// Whether the client has ended the request.
  package private(set) var isComplete = false

  /// Approximate size of an array without its elements, in bytes.
  private static let arrayCost = 64

  private let coding: ContentCoding
  private let limit: Int
  private var deframer: MessageDeframer

  /// - Parameter limit: the maximum total size of the messages in bytes.
  init(_ head: RequestHead, limit: Int) {
    coding = head.coding
    self.limit = limit
    deframer = MessageDeframer(limit: limit)
  }

  mutating func receive(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
    var rest = bytes
    size += bytes.count
    while let message = try next(&rest) {
      let bytes = try decompress(message)
      messages.append(bytes)
      size += Self.arrayCost + bytes.count - message.bytes.count
      // Before the next one is decompressed.
      try checkSize()
    }
    try checkSize()
  }

  private func checkSize() throws(Refusal) {
    guard size <= limit + 1024 else {
      throw Refusal(.resourceExhausted, "the request is larger than \(limit) bytes")
    }
  }

  /// Removes and returns the first `count` messages, or all if there are fewer.
  package mutating func take(_ count: Int = .max) -> ArraySlice<[UInt8]> {
    let taken = messages.prefix(count)
    // All of them are moved instead of copied.
    if taken.count == messages.count { messages = [] } else { messages.removeFirst(taken.count) }
    for message in taken { size -= MessageFramer.prefixLength + Self.arrayCost + message.count }
    return taken
  }

  /// The client has ended the request.
  mutating func finish() throws(Refusal) {
    guard !deframer.isInsideMessage else {
      throw Refusal(.internal, "the request ended inside a message")
    }
    isComplete = true
  }

  private mutating func next(
    _ bytes: inout ArraySlice<UInt8>
  ) throws(Refusal) -> MessageDeframer.Message? {
    do throws(MessageDeframer.Failure) {
      return try deframer.receive(&bytes)
    } catch {
      switch error {
      case .tooLarge(let declared, let limit):
        throw Refusal(
          .resourceExhausted,
          "the request message has \(declared) bytes; this server takes \(limit)")
      case .badFlag(let flag):
        throw Refusal(.internal, "a message has the compression flag \(flag), not 0 or 1")
      }
    }
  }

  private mutating func decompress(_ message: MessageDeframer.Message) throws(Refusal) -> [UInt8] {
    guard message.isCompressed else { return message.bytes }
    guard coding != .identity else {
      throw Refusal(.internal, "a message is compressed, but grpc-encoding is missing")
    }
    do throws(Inflater.Failure) {
      let bytes = try Inflater.inflate(message.bytes, limit: limit)
      decompressedSize += bytes.count
      return bytes
    } catch {
      decompressedSize += limit
      switch error {
      case .tooLarge(let limit):
        throw Refusal(
          .resourceExhausted, "the request message has more than \(limit) bytes decompressed")
      case .corrupt(let reason):
        throw Refusal(.internal, "the request message cannot be decompressed: \(reason)")
      case .expired:
        throw Refusal(.deadlineExceeded, "the request message was not decompressed in time")
      }
    }
  }
}
