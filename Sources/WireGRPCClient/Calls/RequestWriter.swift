public import WireGRPC
public import WireProtobuf

/// Sends the messages of a client streaming or bidirectional call, in order.
public struct RequestWriter<Request: Message>: Sendable {
  private enum Target {
    case call(StreamingCall)
    case receiver(@Sendable (Request) async throws(CallError) -> Void)
  }

  private let target: Target

  init(call: StreamingCall) { target = .call(call) }

  /// Creates a writer without a call, for a test.
  ///
  /// - Parameter receive: takes each message, or throws what ``send(_:compresses:)`` throws.
  public init(_ receive: @escaping @Sendable (Request) async throws(CallError) -> Void) {
    target = .receiver(receive)
  }

  /// Sends a message. Waits while about 64 KiB are unsent because the server is slow.
  ///
  /// - Parameters:
  ///   - message: the message to send.
  ///   - compresses: whether ``CallOptions/compression`` applies to this message. Pass false for data that must not be
  ///     compressed together with secrets, or that does not shrink.
  /// - Throws: ``CallError``: RESOURCE_EXHAUSTED if the message exceeds
  ///   ``CallOptions/maxSendMessageSize`` (the call continues); the call's own error if it has
  ///   failed; CANCELLED if the server has already ended the call with OK.
  public func send(_ message: Request, compresses: Bool = true) async throws(CallError) {
    switch target {
    case .call(let call):
      try await call.send(message.serializedBytes(), compresses: compresses)
    case .receiver(let receive): try await receive(message)
    }
  }

  /// Ends the request. Client streaming calls do this when their body returns.
  public func finish() {
    if case .call(let call) = target { call.finish() }
  }

  /// Cancels the call: the server receives RST_STREAM with CANCEL.
  ///
  /// Drops messages that wait to be sent; ``finish()`` then has no effect. Pending and later sends
  /// throw ``CallError`` with CANCELLED and the origin ``CallError/Origin/local``, and so does a
  /// client streaming call. Has no effect if the call is already canceled, or the server has ended
  /// it.
  public func cancel() {
    if case .call(let call) = target { call.cancel() }
  }
}
