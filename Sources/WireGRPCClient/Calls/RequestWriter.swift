public import WireGRPC
public import WireProtobuf

/// Sends the messages of a client streaming or a bidirectional call, in the order in which they are
/// given.
public struct RequestWriter<Request: Message>: Sendable {
  let call: StreamingCall

  /// Sends a message, or waits while the server is slow and some 64 KiB wait already.
  ///
  /// - Throws: ``CallError``: RESOURCE_EXHAUSTED when the message is above
  ///   ``CallOptions/maxSendMessageSize`` (the call goes on); the call's own error when it has failed;
  ///   CANCELLED when the server has ended the call with OK before, and wants no more.
  public func send(_ message: Request) async throws(CallError) {
    try await call.send(message.serializedBytes())
  }

  /// Tells the server that no more messages come. A client streaming call does so by itself.
  public func finish() {
    call.finish()
  }

  /// Cancels the call: the server gets RST_STREAM with CANCEL.
  ///
  /// Messages that wait to be sent are dropped, and ``finish()`` has no effect any more. A task that
  /// sends, and whoever sends next, gets ``CallError`` with CANCELLED and the origin
  /// ``CallError/Origin/local``; a client streaming call throws it.
  /// Does nothing when the call is canceled already, or when the server has ended it.
  public func cancel() {
    call.cancel()
  }
}
