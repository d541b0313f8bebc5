public import WireGRPC
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

  /// Creates a call without a channel, for a test.
  public init(requests: RequestWriter<Request>, responses: ResponseStream<Response>) {
    self.requests = requests
    self.responses = responses
  }

  /// Creates a call that has failed, for a test.
  public init(failure: CallError) {
    self.init(
      requests: RequestWriter { _ throws(CallError) in throw failure },
      responses: ResponseStream([], failure: failure))
  }

  /// Cancels the call: the server receives RST_STREAM with CANCEL.
  ///
  /// Acts as both ``RequestWriter/cancel()`` and ``ResponseStream/cancel()``.
  public func cancel() {
    responses.cancel()
  }
}
