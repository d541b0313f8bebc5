import WireGRPC

/// A request on its way in: its messages as they come out of their frames.
struct IncomingCall {
  let head: RequestHead
  /// When the server gives up on the rest of it.
  let deadline: ContinuousClock.Instant
  /// What it holds in memory, in bytes, roughly.
  private(set) var size = 0

  private let limit: Int
  private var deframer: MessageDeframer
  private var messages: [[UInt8]] = []

  /// `limit` is how many bytes the messages may have together.
  init(_ head: RequestHead, deadline: ContinuousClock.Instant, limit: Int) {
    self.head = head
    self.deadline = deadline
    self.limit = limit
    deframer = MessageDeframer(limit: limit)
  }

  mutating func receive(_ bytes: ArraySlice<UInt8>) throws(Refusal) {
    var rest = bytes
    size += bytes.count
    while let message = try next(&rest) {
      let bytes = try decompress(message)
      messages.append(bytes)
      // An array costs about so much beside its elements.
      size += 64 + (message.isCompressed ? bytes.count : 0)
    }
    guard size <= limit + 1024 else {
      throw Refusal(.resourceExhausted, "the request is larger than \(limit) bytes")
    }
  }

  /// All messages, once the client has said that no more come.
  func finish() throws(Refusal) -> [[UInt8]] {
    guard !deframer.isInsideMessage else {
      throw Refusal(.internal, "the request ended inside a message")
    }
    return messages
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
        throw Refusal(.internal, "a message begins with \(flag), neither 0 nor 1")
      }
    }
  }

  private func decompress(_ message: MessageDeframer.Message) throws(Refusal) -> [UInt8] {
    guard message.isCompressed else { return message.bytes }
    guard head.coding != .identity else {
      throw Refusal(.internal, "a message is compressed, but there is no grpc-encoding")
    }
    do throws(Inflater.Failure) {
      return try Inflater.inflate(message.bytes, limit: limit)
    } catch {
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
