import WireGRPC

/// A call before it is submitted to the loop.
///
/// It has no start time: the size of an instant is known only at run time, so the runtime would copy each call
/// that has one.
struct PendingCall: Sendable {
  /// The number of the call on its channel, from 1.
  let id: UInt64
  let path: String
  let kind: MethodKind
  /// The only message of the request; nil if the caller sends the messages.
  let message: [UInt8]?
  /// Interceptors may change the metadata and the timeout.
  var options: CallOptions
  /// The options' metadata, if it was prepared before.
  var headers: PreparedMetadata?
  var observers = CallObservers()
  var refusal: CallError?

  /// Returns the request, with the message framed.
  ///
  /// - Parameter last: prepares the headers.
  /// - Throws: why the call must not be sent.
  func request(
    at start: ContinuousClock.Instant, _ last: LastMetadata, for caller: CallRequest.Caller
  ) throws(CallError) -> CallRequest {
    if let refusal { throw refusal }
    guard options.maxReceiveMessageSize >= 0, options.maxSendMessageSize >= 0 else {
      throw .local(
        .internal,
        "maxReceiveMessageSize is \(options.maxReceiveMessageSize) and maxSendMessageSize"
          + " \(options.maxSendMessageSize): they must not be negative; use Int.max for no limit")
    }
    let headers = try preparedHeaders(last)
    var frame: [UInt8]?
    if let message {
      frame = try MessageFramer.frame(
        message, options.compression, limit: options.maxSendMessageSize)
    }
    return CallRequest(self, at: start, frame, headers, caller)
  }

  /// Returns the request of a call that is never sent, for its observers.
  func unsentRequest(
    at start: ContinuousClock.Instant, for caller: CallRequest.Caller
  ) -> CallRequest {
    let frame = message.flatMap { message in try? MessageFramer.frame(message) }
    return CallRequest(
      self, at: start, frame, PreparedMetadata(unsent: options.metadata), caller)
  }

  private func preparedHeaders(_ last: LastMetadata) throws(CallError) -> PreparedMetadata {
    if let headers { return headers }
    do throws(MetadataError) {
      return try last.prepared(options.metadata)
    } catch {
      throw .local(.internal, error.description)
    }
  }
}
