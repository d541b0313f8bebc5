public import WireGRPC
import WireProtobuf

// Streaming calls.

extension Channel {
  /// Sends one message and returns the stream of responses.
  ///
  ///     for try await vehicle in channel.serverStreaming(method, request) { … }
  ///
  /// The call starts at once. Its errors are thrown to the reader.
  public func serverStreaming<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ request: Request,
    options: CallOptions = CallOptions()
  ) -> ResponseStream<Response> {
    ResponseStream(call: open(method, .serverStreaming, request.serializedBytes(), options))
  }

  /// Sends the messages that `body` passes to the writer, and returns the response.
  ///
  ///     let summary = try await channel.clientStreaming(method) { writer in
  ///       for point in route { try await writer.send(point) }
  ///     }
  ///
  /// An error of `body` cancels the call. If the server responds before `body` has sent everything,
  /// the next `send` throws. If that ends `body`, the response is returned.
  ///
  /// - Throws: ``CallError`` for every status except OK. Another error of `body` becomes CANCELLED,
  ///   with the error as ``CallError/underlyingError``.
  public func clientStreaming<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, options: CallOptions = CallOptions(),
    _ body: (RequestWriter<Request>) async throws -> Void
  ) async throws(CallError) -> CallResponse<Response> {
    let call = open(method, .clientStreaming, nil, options)
    do {
      try await body(RequestWriter(call: call))
    } catch {
      let error = error as? CallError ?? call.complete(CallError(givenUpFor: error))
      guard error.cause == .endedByServer else {
        call.reportEnd(error)
        call.cancel()
        throw error
      }
    }
    return try await call.response()
  }

  /// Starts a call in which both sides send any number of messages.
  ///
  /// Its errors are thrown to the tasks that send and read.
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
  fileprivate init(givenUpFor error: any Error) {
    self = .local(.cancelled, "canceled: \(error)")
    underlyingError = error
  }
}

extension StreamingCall {
  /// Returns the response of a call that has a single one.
  fileprivate func response<Response: Message>() async throws(CallError) -> CallResponse<Response> {
    // A canceled request gets no end, because the server might act on it.
    if !Task.isCancelled { finish() }
    // The message is valid only after the status has arrived.
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
