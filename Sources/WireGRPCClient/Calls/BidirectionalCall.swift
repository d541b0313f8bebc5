public import WireProtobuf

/// A call in which both sides send as many messages as they like, when they like.
///
///     let call = channel.bidirectional(method)
///     async let sending: Void = { for point in points { try await call.requests.send(point) }; … }()
///     for try await note in call.responses { … }
///
/// It is over when the server says so; it is cancelled when it is dropped, and as
/// ``ResponseStream`` and ``RequestWriter`` say.
public struct BidirectionalCall<Request: Message, Response: Message>: Sendable {
  public let requests: RequestWriter<Request>
  public let responses: ResponseStream<Response>

  init(_ call: StreamingCall) {
    requests = RequestWriter(call: call)
    responses = ResponseStream(call: call)
  }

  /// Cancels the call: the server gets RST_STREAM with CANCEL.
  ///
  /// Messages that wait to be sent or read are dropped. Sending and reading throw ``CallError`` with
  /// CANCELLED and the origin ``CallError/Origin/local``.
  /// Does nothing when the call is canceled already, or when the server has ended it.
  public func cancel() {
    responses.cancel()
  }
}
