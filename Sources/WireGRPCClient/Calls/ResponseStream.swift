public import WireGRPC
public import WireProtobuf

/// The response messages of a call, for one reader.
///
///     for try await vehicle in channel.serverStreaming(method, request) { … }
///
/// A slow reader slows the server down (flow control). Leaving the loop early, canceling the
/// reading task and releasing the stream also cancel the call on the server.
public struct ResponseStream<Response: Message>: AsyncSequence, Sendable {
  public typealias Failure = CallError

  private enum Source {
    case call(StreamingCall)
    case messages([Response], CallError?, headers: Metadata, trailers: Metadata)
  }

  private let source: Source

  init(call: StreamingCall) { source = .call(call) }

  /// Creates a stream without a call, for a test. Each iterator has all messages.
  ///
  /// - Parameters:
  ///   - messages: the responses, in their order.
  ///   - failure: is thrown after the messages; nil for the end of a successful call.
  ///   - headers: those of the response.
  ///   - trailers: those of a successful call.
  public init(
    _ messages: [Response], failure: CallError? = nil, headers: Metadata = Metadata(),
    trailers: Metadata = Metadata()
  ) {
    source = .messages(messages, failure, headers: headers, trailers: trailers)
  }

  /// The headers, once they arrive; empty if the server sends none before its trailers.
  ///
  /// - Throws: the call's error if it fails first.
  public var headers: Metadata {
    get async throws(CallError) {
      switch source {
      case .call(let call): return try await call.headers
      case .messages(let messages, let failure?, _, _) where messages.isEmpty: throw failure
      case .messages(_, _, let headers, _): return headers
      }
    }
  }

  /// The trailers, once the server has ended the call with OK; nil before. The trailers of a failed
  /// call are in its error.
  public var trailers: Metadata? {
    switch source {
    case .call(let call): call.trailers
    case .messages(_, let failure, _, let trailers): failure == nil ? trailers : nil
    }
  }

  /// Cancels the call: the server receives RST_STREAM with CANCEL.
  ///
  /// Drops unread messages. Pending and later reads throw ``CallError`` with CANCELLED and the
  /// origin ``CallError/Origin/local``. Has no effect if the call is already canceled, or the
  /// server has ended it.
  ///
  ///     do {
  ///       for try await vehicle in vehicles {
  ///         if isEnough(vehicle) { vehicles.cancel() }
  ///       }
  ///     } catch {
  ///       print(error.code, error.headers)  // CANCELLED, if the server had not ended the call
  ///     }
  public func cancel() {
    if case .call(let call) = source { call.cancel() }
  }

  public func makeAsyncIterator() -> Iterator {
    switch source {
    case .call(let call): Iterator(.call(Reading(call)))
    case .messages(let messages, let failure, _, _): Iterator(.messages(messages[...], failure))
    }
  }

  /// An iterator over the messages. Releasing it ends the call.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Source {
      case call(Reading)
      case messages(ArraySlice<Response>, CallError?)
    }

    private var source: Source
    private var hasThrown = false

    fileprivate init(_ source: Source) {
      self.source = source
    }

    /// Returns the next message, or nil after the last one and after an error.
    ///
    /// - Throws: the call's error, after the messages received before it, except that a deadline or
    ///   a cancellation is thrown at once; INTERNAL for a message that does not decode.
    public mutating func next() async throws(CallError) -> Response? {
      if hasThrown { return nil }
      do throws(CallError) {
        switch source {
        case .call(let reading):
          guard let bytes = try await reading.call.next() else { return nil }
          return try reading.call.decode(bytes)
        case .messages(let messages, let failure):
          source = .messages(messages.dropFirst(), failure)
          if let message = messages.first { return message }
          if let failure { throw failure }
          return nil
        }
      } catch {
        hasThrown = true
        throw error
      }
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CallError) -> Response? {
      try await next()
    }
  }

  fileprivate final class Reading {
    let call: StreamingCall

    init(_ call: StreamingCall) {
      self.call = call
    }

    deinit {
      call.cancel()
    }
  }
}

extension StreamingCall {
  /// - Throws: INTERNAL if the message does not decode, which ends the call.
  fileprivate func decode<Response: Message>(_ bytes: [UInt8]) throws(CallError) -> Response {
    do throws(DecodingError) {
      return try Response(serializedBytes: bytes)
    } catch {
      throw unreadable(CallError(decoding: error))
    }
  }
}
