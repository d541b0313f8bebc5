/// Frames messages: flag, length, bytes (gRPC PROTOCOL-HTTP2, Length-Prefixed-Message).
package enum MessageFramer {
  /// The length of the prefix: one byte of flags and four of big-endian length.
  package static let prefixLength = 5

  /// Returns the framed message, compressed if that makes it shorter.
  ///
  /// - Parameter limit: the maximum size in bytes, before compression.
  /// - Throws: RESOURCE_EXHAUSTED if it is larger, or if its length does not fit in four bytes.
  package static func frame(
    _ message: [UInt8], _ compression: Compression, limit: Int
  ) throws(CallError) -> [UInt8] {
    guard compression == .gzip, message.count <= limit, let shorter = Deflater.gzip(message) else {
      return try frame(message, limit: limit)
    }
    return try frame(shorter, isCompressed: true)
  }

  /// Returns the framed message, not compressed here.
  package static func frame(
    _ message: [UInt8], isCompressed: Bool = false, limit: Int = .max
  ) throws(CallError) -> [UInt8] {
    guard message.count <= limit, let length = UInt32(exactly: message.count) else {
      throw .tooLarge(
        "the request is \(message.count) bytes", limit: min(limit, Int(UInt32.max)))
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

  package static func messages(in frames: [UInt8]) -> [MessageDeframer.Message] {
    var deframer = MessageDeframer(limit: .max)
    var messages: [MessageDeframer.Message] = []
    var rest = frames[...]
    while let message = try? deframer.receive(&rest) { messages.append(message) }
    return messages
  }
}
