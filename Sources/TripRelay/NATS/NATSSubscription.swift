import CNats

/// A subscription, which ends when it is released.
///
/// `@unchecked Sendable`: libnats locks the subscription in each of its functions, and the pointer never
/// changes.
@safe final class NATSSubscription: @unchecked Sendable {
  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer, _ handler: Unmanaged<MessageHandler>) {
    unsafe self.pointer = unsafe pointer
    // Called after the last message.
    let status = unsafe natsSubscription_SetOnCompleteCB(
      pointer,
      { user in
        guard let user = unsafe user else { return }
        unsafe Unmanaged<MessageHandler>.fromOpaque(user).release()
      }, handler.toOpaque())
    _ = status
  }

  deinit {
    _ = unsafe natsSubscription_Unsubscribe(pointer)
    unsafe natsSubscription_Destroy(pointer)
  }
}
