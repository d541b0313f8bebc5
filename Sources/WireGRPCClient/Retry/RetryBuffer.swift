/// The messages that a call has sent, kept for another attempt until the call is committed. A call
/// is committed when its response starts or when it has sent too much to keep (gRFC A6).
struct RetryBuffer {
  /// The number of bytes to keep. The first chunk is kept whatever its size.
  static let limit = 256 * 1024

  private(set) var bytes: [UInt8]
  /// Whether the request is complete.
  private(set) var isComplete: Bool
  /// Why the call can no longer be sent again; nil while it can.
  private(set) var commitment: Commitment?
  /// Whether the call can no longer be sent again.
  var isCommitted: Bool { commitment != nil }

  enum Commitment: Sendable {
    case responseStarted
    /// More than ``limit`` bytes had been sent.
    case limitExceeded
  }

  init(_ bytes: [UInt8] = [], isComplete: Bool = false) {
    self.bytes = bytes
    self.isComplete = isComplete
  }

  mutating func append(_ more: [UInt8], isLast: Bool) {
    isComplete = isComplete || isLast
    guard !isCommitted else { return }
    if bytes.isEmpty {
      bytes = more
    } else if bytes.count + more.count <= Self.limit {
      bytes += more
    } else {
      commit(.limitExceeded)
    }
  }

  /// The call keeps its first reason.
  mutating func commit(_ reason: Commitment) {
    commitment = commitment ?? reason
    bytes = []
  }
}
