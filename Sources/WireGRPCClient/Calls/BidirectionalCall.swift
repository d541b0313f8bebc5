public import WireProtobuf

/// A call in which both sides send any number of messages, independently of each other.
///
///     let call = channel.bidirectional(method)
///     async let sending: Void = { for point in points { try await call.requests.send(point) }; … }()
///     for try await note in call.responses { … }
///
/// The call ends when the server ends it. It is canceled when both `requests` and `responses` are
/// released, and in the cases that ``ResponseStream`` and ``RequestWriter`` describe.
public struct BidirectionalCall<Request: Message, Response: Message>: Sendable {
  /// Sends the requests.
  public let requests: RequestWriter<Request>
  /// The responses, in the order received.
  public let responses: ResponseStream<Response>

  init(_ call: StreamingCall) {
    requests = RequestWriter(call: call)
    responses = ResponseStream(call: call)
  }

  /// Cancels the call: the server receives RST_STREAM with CANCEL.
  ///
  /// Drops messages that wait to be sent or read. Sending and reading then throw ``CallError`` with
  /// CANCELLED and the origin ``CallError/Origin/local``. Has no effect if the call is already
  /// canceled, or the server has ended it.
  public func cancel() {
    responses.cancel()
  }
}
