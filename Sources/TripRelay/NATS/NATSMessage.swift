/// A message of NATS, copied from the library's memory.
package struct NATSMessage: Sendable, Hashable {
  package var subject: String
  /// Where replies go; nil if none are expected.
  package var reply: String?
  package var headers: [String: String]
  package var data: [UInt8]

  package init(
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
