/// An event of a call, passed to its observers in this order:
///
/// 1. `start`, once.
/// 2. For each attempt that is sent, `attempt`, and `attemptFailed` if another attempt follows.
/// 3. `responseHeaders`, and `responseMessage` for each response, only of the attempt that is not
///    retried.
/// 4. `end`, once.
///
/// `requestMessage` and `requestEnd` are reported once for all attempts, between `start` and `end`.
/// The request messages of a unary call follow its start; those of a stream are reported as they
/// are sent. If a stream is never sent, they are reported before its end. A call that fails before
/// it is sent therefore has request events but no `attempt`.
public enum CallEvent: Sendable {
  /// The call starts. `metadata` and `timeout` include the changes of all interceptors, or, if an
  /// interceptor refuses the call, of those before it.
  case start(metadata: Metadata, timeout: Duration?)
  /// An attempt is sent to this address. Numbers start at 1.
  case attempt(number: Int, peer: String)
  /// An attempt failed and another follows.
  indirect case attemptFailed(FailedAttempt)
  /// The caller sent a message.
  case requestMessage(CallMessage)
  /// The caller has sent all messages.
  case requestEnd
  /// The server sent its headers.
  case responseHeaders(Metadata)
  /// The server sent a message.
  case responseMessage(CallMessage)
  /// The trailers of a successful call, or the error. A call that the client canceled has CANCELLED
  /// with the origin ``CallError/Origin/local``.
  ///
  /// The end of a successful call, and of a stream that the server ended, is reported after the
  /// caller has read the whole response or dropped it. If a message does not decompress or decode,
  /// the end has the error that the caller gets.
  ///
  /// Indirect, as is `attemptFailed`: errors are large, and events are copied several times.
  indirect case end(Result<Metadata, CallError>)
}

extension CallEvent: CustomStringConvertible {
  /// "attempt 1 at 127.0.0.1:443", "request message of 12 bytes". Contains neither message contents
  /// nor credentials.
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

/// A message as it is on the wire, without the five-byte prefix.
public struct CallMessage: Sendable {
  let message: MessageDeframer.Message
  let limit: Int

  /// - Parameter limit: the maximum size after decompression, in bytes.
  package init(message: MessageDeframer.Message, limit: Int) {
    self.message = message
    self.limit = limit
  }

  /// The size in bytes, compressed if the message is.
  public var wireSize: Int { message.bytes.count }
  /// Whether the message was sent compressed.
  public var isCompressed: Bool { message.isCompressed }

  package var uncompressed: [UInt8] { message.bytes }

  /// Returns the message, decompressed if necessary. Decompression takes time: do not call this on
  /// the channel's thread.
  ///
  /// - Throws: RESOURCE_EXHAUSTED above the limit, INTERNAL if the message does not decompress.
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
