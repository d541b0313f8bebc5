import CNats
import WireSystem

/// Messages of libnats that are no longer needed, and are freed together.
///
/// libnats frees messages on a thread of its own. To wake that thread for each message costs a worker more than
/// to send it.
@safe enum DiscardedMessages {
  private struct Batch {
    var messages: [UInt] = []
    var bytes = 0
  }

  private static let maxCount = 64
  private static let maxBytes = 256 << 10
  private static let batch = Locked(Batch())

  /// Takes over a message. Up to 63 messages are kept.
  static func add(_ message: OpaquePointer) {
    let bytes = unsafe Int(natsMsg_GetDataLength(message))
    let address = UInt(bitPattern: message)
    let complete = batch.withLock { batch -> [UInt] in
      batch.messages.append(address)
      batch.bytes += bytes
      guard batch.messages.count >= maxCount || batch.bytes > maxBytes else { return [] }
      defer { batch = Batch() }
      return batch.messages
    }
    for address in complete { unsafe natsMsg_Destroy(OpaquePointer(bitPattern: address)) }
  }
}
