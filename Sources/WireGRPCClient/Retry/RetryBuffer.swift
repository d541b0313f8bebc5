/// The messages that a call has sent, kept for another attempt until the call is committed. A call
/// is committed when its response starts or when it has sent too much to keep (gRFC A6).
package struct RetryBuffer {
  /// The number of bytes to keep. The first chunk is kept whatever its size.
  package static let limit = 256 * 1024

  package private(set) var bytes: [UInt8]
  /// Whether the request is complete.
  package private(set) var isComplete: Bool
  /// Whether the call can no longer be sent again.
  package private(set) var isCommitted = false

  package init(_ bytes: [UInt8] = [], isComplete: Bool = false) {
    self.bytes = bytes
    self.isComplete = isComplete
  }

  package mutating func append(_ more: [UInt8], isLast: Bool) {
    isComplete = isComplete || isLast
    guard !isCommitted else { return }
    if bytes.isEmpty {
      bytes = more
    } else if bytes.count + more.count <= Self.limit {
      bytes += more
    } else {
      commit()
    }
  }

  package mutating func commit() {
    isCommitted = true
    bytes = []
  }
}
