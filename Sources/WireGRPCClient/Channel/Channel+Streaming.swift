public import WireGRPC
import WireProtobuf

// Calls with streams of messages.

extension Channel {
  /// Sends one message, which the server answers with any number.
  ///
  ///     for try await vehicle in channel.serverStreaming(method, request) { … }
  ///
  /// The call begins at once. What goes wrong is thrown to the one who reads.
  public func serverStreaming<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) -> ResponseStream<Response> {
    ResponseStream(call: open(method, .serverStreaming, request.serializedBytes(), options))
  }

  /// Sends the messages that `body` gives to the writer, and returns the one that answers them.
  ///
  ///     let summary = try await channel.clientStreaming(method) { writer in
  ///       for point in route { try await writer.send(point) }
  ///     }
  ///
  /// An error of `body` cancels the call. Should the server answer before `body` has sent all, the
  /// next `send` throws; when that ends `body` the answer counts.
  ///
  /// - Throws: ``CallError`` for every status but OK; what `body` throws, where that is another error
  ///   as CANCELLED with it as its ``CallError/underlyingError``.
  public func clientStreaming<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, options: CallOptions = CallOptions(),
    _ body: (RequestWriter<Request>) async throws -> Void
  ) async throws(CallError) -> CallResponse<Response> {
    let call = open(method, .clientStreaming, nil, options)
    do {
      try await body(RequestWriter(call: call))
    } catch {
      let error = error as? CallError ?? call.complete(CallError(givenUpFor: error))
      guard error.message == CallError.endedByServer.message else {
        call.reportEnd(error)
        call.cancel()
        throw error
      }
    }
    return try await call.response()
  }

  /// Begins a call in which both sides send any number of messages.
  ///
  /// What goes wrong is thrown to those who send and read.
  public func bidirectional<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, options: CallOptions = CallOptions()
  ) -> BidirectionalCall<Request, Response> {
    BidirectionalCall(open(method, .bidirectional, nil, options))
  }

  private func open<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ kind: MethodKind, _ message: [UInt8]?,
    _ options: CallOptions
  ) -> StreamingCall {
    open(
      path: method.path, kind: kind, message, options: complete(options, for: method),
      refusal: method.refusal(of: kind))
  }
}

extension CallError {
  /// The caller's own code threw it while it sent.
  fileprivate init(givenUpFor error: any Error) {
    self = .local(.cancelled, "canceled: \(error)")
    underlyingError = error
  }
}

extension StreamingCall {
  /// The one message of a call that wants one.
  fileprivate func response<Response: Message>() async throws(CallError) -> CallResponse<Response> {
    // A request that is given up has no end, or the server might act on it.
    if !Task.isCancelled { finish() }
    // One message, or the call has failed; it counts once the status has come.
    let message = try await next(reportsEnd: false) ?? []
    _ = try await next(reportsEnd: false)
    do throws(CallError) {
      let response = try CallResponse<Response>(
        message, headers: try await headers, trailers: trailers ?? Metadata(), attempts: attempts)
      reportEnd()
      return response
    } catch {
      throw unreadable(error)
    }
  }
}
