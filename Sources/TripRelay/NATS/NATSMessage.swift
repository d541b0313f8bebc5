/// A message of NATS, copied from the library's memory.
struct NATSMessage: Sendable, Hashable {
  var subject: String
  /// Where replies go; nil if none are expected.
  var reply: String?
  var headers: [String: String]
  var data: [UInt8]

  init(
    _ subject: String, reply: String? = nil, headers: [String: String] = [:], data: [UInt8] = []
  ) {
    self.subject = subject
    self.reply = reply
    self.headers = headers
    self.data = data
  }

  /// The number in the server's status line, such as 503; nil for a message of a publisher.
  var status: Int? { headers["Status"].flatMap { Int($0) } }
}
