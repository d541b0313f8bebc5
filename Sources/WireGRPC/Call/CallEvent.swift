/// What happens to a call, for those who observe it.
///
///     start, then of each attempt: attempt, or attemptFailed
///            and once for all attempts: requestMessage…, requestEnd
///     then of the attempt that counts: responseHeaders, responseMessage…
///     end
///
/// What an attempt says that is given up is not told. `start` comes once, for every call, and first, and
/// so does `end`, last. The request of a unary call comes with its start; that of a stream as it is
/// sent, and of one that is never sent before its end. So a call that fails before it is sent has no
/// `attempt`, but its request.
public enum CallEvent: Sendable {
  /// The call was accepted, with what all interceptors have made of it; or refused, with what those
  /// before the one that refuses it have.
  case start(metadata: Metadata, timeout: Duration?)
  /// It is sent to this address; counts from 1.
  case attempt(number: Int, peer: String)
  /// An attempt failed, and there will be another.
  indirect case attemptFailed(FailedAttempt)
  /// The caller gave a message.
  case requestMessage(CallMessage)
  /// The caller has given all its messages.
  case requestEnd
  case responseHeaders(Metadata)
  case responseMessage(CallMessage)
  /// The trailers of a call that went well; otherwise all that is known. A call that this side
  /// cancelled has CANCELLED with the origin ``CallError/Origin/local``. Told of a call that went well,
  /// and of a stream that the server ended, once the caller has read the answer to the end, or dropped
  /// it: what cannot be decompressed or decoded is the error that the caller gets.
  ///
  /// Apart from where it is told, as is what failed before: errors are large, and each event is passed on
  /// some times.
  indirect case end(Result<Metadata, CallError>)
}

extension CallEvent: CustomStringConvertible {
  /// "attempt 1 at 127.0.0.1:443", "request message of 12 bytes": without what messages hold, and
  /// without secrets.
  public var description: String {
    switch self {
    case .start(let metadata, let timeout):
      "start, \(timeout.map { "timeout \($0)" } ?? "no timeout"), metadata \(metadata)"
    case .attempt(let number, let peer): "attempt \(number) at \(peer)"
    case .attemptFailed(let failure):
      "attempt failed\(failure.peer.map { " at " + $0 } ?? ""): \(failure); another after"
        + " \(failure.delay)"
    case .requestMessage(let message): "request message of \(message)"
    case .requestEnd: "end of the request"
    case .responseHeaders(let metadata): "response headers \(metadata)"
    case .responseMessage(let message): "response message of \(message)"
    case .end(.success(let trailers)): "end: OK, trailers \(trailers)"
    case .end(.failure(let error)): "end: \(error)"
    }
  }
}

/// A message as it is on the wire, without its five-byte prefix.
public struct CallMessage: Sendable {
  let message: MessageDeframer.Message
  let limit: Int

  /// - Parameter limit: how many bytes it may have decompressed.
  package init(message: MessageDeframer.Message, limit: Int) {
    self.message = message
    self.limit = limit
  }

  /// In bytes, compressed if it is.
  public var wireSize: Int { message.bytes.count }
  public var isCompressed: Bool { message.isCompressed }

  /// The message itself, of one that is not compressed.
  package var uncompressed: [UInt8] { message.bytes }

  /// The message itself, decompressed if it was compressed: that takes time, so not on the channel's
  /// own thread.
  ///
  /// - Throws: RESOURCE_EXHAUSTED, INTERNAL when it cannot be decompressed.
  public func contents() throws(CallError) -> [UInt8] {
    try message.decompressed(limit: limit)
  }
}

extension CallMessage: CustomStringConvertible {
  /// "12 bytes", "12 bytes, compressed".
  public var description: String {
    "\(wireSize) \(wireSize == 1 ? "byte" : "bytes")\(isCompressed ? ", compressed" : "")"
  }
}
