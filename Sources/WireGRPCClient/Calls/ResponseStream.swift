public import WireGRPC
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

  /// Cancels the call: the server gets RST_STREAM with CANCEL.
  ///
  /// Drops the messages that have not been read. The task that reads, and whoever reads next, gets
  /// ``CallError`` with CANCELLED and the origin ``CallError/Origin/local``. Does nothing when the call is
  /// canceled already, or when the server has ended it.
  ///
  ///     do {
  ///       for try await vehicle in vehicles {
  ///         if isEnough(vehicle) { vehicles.cancel() }
  ///       }
  ///     } catch {
  ///       print(error.code, error.headers)  // CANCELLED, if the server had not ended the call
  ///     }
  public func cancel() { call.cancel() }

  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: Reading(call))
  }

  /// Ends the call when it is dropped.
  public struct Iterator: AsyncIteratorProtocol {
    private let reading: Reading
    private var hasThrown = false

    fileprivate init(reading: Reading) {
      self.reading = reading
    }

    /// The next message; nil after the last, and after an error.
    ///
    /// - Throws: the call's error, after the messages that came before it; a deadline or a
    ///   cancellation at once. INTERNAL for a message that does not decode.
    public mutating func next() async throws(CallError) -> Response? {
      if hasThrown { return nil }
      do throws(CallError) {
        guard let bytes = try await reading.call.next() else { return nil }
        return try reading.call.decode(bytes)
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
  /// - Throws: INTERNAL when the message does not decode; that ends the call.
  fileprivate func decode<Response: Message>(_ bytes: [UInt8]) throws(CallError) -> Response {
    do throws(DecodingError) {
      return try Response(serializedBytes: bytes)
    } catch {
      throw unreadable(CallError(decoding: error))
    }
  }
}
