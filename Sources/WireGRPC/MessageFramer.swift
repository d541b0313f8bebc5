/// Puts a message into its frame: flag, length, bytes (gRPC PROTOCOL-HTTP2,
/// Length-Prefixed-Message).
package enum MessageFramer {
  /// The flag and the big-endian length before each message.
  package static let prefixLength = 5

  /// The framed message.
  ///
  /// - Throws: RESOURCE_EXHAUSTED when the length does not fit its four bytes.
  package static func frame(
    _ message: some Collection<UInt8>, isCompressed: Bool = false
  ) throws(CallError) -> [UInt8] {
    guard let length = UInt32(exactly: message.count) else {
      throw CallError(
        code: .resourceExhausted,
        message: "the request has \(message.count) bytes, more than a gRPC message can have",
        origin: .local)
    }
    var frame: [UInt8] = []
    frame.reserveCapacity(prefixLength + message.count)
    frame.append(isCompressed ? 1 : 0)
    for shift in [24, 16, 8, 0] as [UInt32] {
      frame.append(UInt8(truncatingIfNeeded: length >> shift))
    }
    frame.append(contentsOf: message)
    return frame
  }
}
