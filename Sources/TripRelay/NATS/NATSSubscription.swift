import CNats

/// A subscription, which ends when it is released.
///
/// `@unchecked Sendable`: libnats locks the subscription in each of its functions, and the pointer never
/// changes.
@safe final class NATSSubscription: @unchecked Sendable {
  let pointer: OpaquePointer

  /// - Parameter handler: released after the last message; nil for a subscription without callbacks.
  init(_ pointer: OpaquePointer, _ handler: Unmanaged<Handler<NATSMessage>>? = nil) {
    unsafe self.pointer = unsafe pointer
    guard let handler = unsafe handler else { return }
    _ = unsafe natsSubscription_SetOnCompleteCB(
      pointer,
      { user in
        guard let user = unsafe user else { return }
        unsafe Unmanaged<Handler<NATSMessage>>.fromOpaque(user).release()
      }, handler.toOpaque())
  }

  deinit {
    _ = unsafe natsSubscription_Unsubscribe(pointer)
    unsafe natsSubscription_Destroy(pointer)
  }
}
