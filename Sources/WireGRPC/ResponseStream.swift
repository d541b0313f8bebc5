public import WireProtobuf

/// The messages that answer a call, as they come. For one reader.
///
///     for try await vehicle in channel.serverStreaming(method, request) { … }
///
/// The server is held up while the reader is slow. Leaving the loop early, cancelling the task that
/// reads and dropping the stream all cancel the call on the server, too.
public struct ResponseStream<Response: Message>: AsyncSequence, Sendable {
  public typealias Failure = CallError

  let call: StreamingCall

  /// The headers, as soon as they are there; empty when the server sent none before its trailers.
  ///
  /// - Throws: the call's error when it failed before.
  public var headers: Metadata {
    get async throws(CallError) { try await call.headers }
  }

  /// The trailers, once the server has ended the call with OK; nil before. Those of a call that failed
  /// are in its error.
  public var trailers: Metadata? { call.trailers }

  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: Reading(call))
  }

  /// Ends the call when it is dropped.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reading: Reading

    /// The next message; nil after the last.
    ///
    /// - Throws: the call's error, after the messages that came before it; a deadline or a
    ///   cancellation at once. INTERNAL for a message that does not decode.
    public mutating func next() async throws(CallError) -> Response? {
      guard let bytes = try await reading.call.next() else { return nil }
      do throws(DecodingError) {
        return try Response(serializedBytes: bytes)
      } catch {
        throw reading.call.unreadable(CallError(decoding: error))
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
