import WireGRPC

/// The largest request that a server takes, from the words in which gRPC's libraries refuse a larger one.
struct RequestSizeLimit: Equatable, CustomStringConvertible {
  /// In bytes.
  let limit: Int
  /// How large the request was, in bytes, if that is said.
  let size: Int?

  /// Those of C++, Python, Ruby, PHP, Go and JavaScript; of Java; of Rust; and ours, of the server and of
  /// the client.
  private static let phrases = [
    "message larger than max", "decompression larger than max", "message exceeds maximum size",
    "message length too large", "the request message has ", "the request has ",
  ]

  /// Nil for a message that says something else.
  init?(_ message: String) {
    guard Self.phrases.contains(where: message.mentions) else { return nil }
    let numbers = message.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
    guard let smallest = numbers.min(), numbers.count <= 2 else { return nil }
    limit = smallest
    size = numbers.count == 2 ? numbers.max() : nil
  }

  var description: String {
    "the limit is \(limit) bytes" + (size.map { ", and this one has \($0)" } ?? "")
  }
}
