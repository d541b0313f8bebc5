import WireGRPC

/// The largest request that a server accepts, read from the messages with which gRPC's libraries reject
/// a larger one.
struct RequestSizeLimit: Equatable, CustomStringConvertible {
  /// In bytes.
  let limit: Int
  /// The size of the request in bytes, if the message has it.
  let size: Int?

  /// The messages of C++, Python, Ruby, PHP, Go and JavaScript; of Java; of Rust; and of tripwire's
  /// server and client.
  private static let phrases = [
    "message larger than max", "decompression larger than max", "message exceeds maximum size",
    "message length too large", "the request message has ", "the request is ",
  ]

  /// Nil for any other message.
  init?(_ message: String) {
    guard Self.phrases.contains(where: message.mentions) else { return nil }
    let numbers = message.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    guard let smallest = numbers.min(), numbers.count <= 2 else { return nil }
    limit = smallest
    size = numbers.count == 2 ? numbers.max() : nil
  }

  var description: String {
    (size.map { "this request is \($0) bytes; " } ?? "") + "the limit is \(limit) bytes"
  }
}
