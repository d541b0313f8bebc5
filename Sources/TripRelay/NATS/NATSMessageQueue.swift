import CNats

/// A subscription whose messages wait until they are taken, which needs no thread to deliver them.
struct NATSMessageQueue: Sendable {
  private let subscription: NATSSubscription

  init(_ pointer: OpaquePointer) {
    subscription = unsafe NATSSubscription(pointer)
  }

  /// Takes a message; nil if none has arrived, or the connection is closed. libnats hides the subject of a
  /// message which reports that a request has no responders: it is empty, and the status is 503.
  func next() -> NATSMessage? {
    let pointer = unsafe subscription.pointer
    var count: UInt64 = 0
    // A message that does not exist is an error in libnats, which costs more than to ask first.
    guard unsafe natsSubscription_QueuedMsgs(pointer, &count) == NATS_OK, count > 0 else {
      return nil
    }
    var message: OpaquePointer?
    switch unsafe natsSubscription_NextMsg(&message, pointer, 0) {
    case NATS_OK:
      guard let message = unsafe message else { return nil }
      defer { unsafe DiscardedMessages.add(message) }
      return unsafe NATSMessage(copying: message)
    case NATS_NO_RESPONDERS: return NATSMessage("", headers: ["Status": "503"])
    default: return nil
    }
  }
}
