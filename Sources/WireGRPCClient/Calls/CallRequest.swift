import WireGRPC
import WireIO

/// A call as the caller submits it to the loop.
///
/// A class, because it is passed on several times, and each copy of a struct would retain all its
/// members.
final class CallRequest: Sendable {
  enum Caller: Sendable {
    /// A task that waits for the outcome of a unary call, on the channel's loop or another thread.
    case waiter(Waiter<CallOutcome>, isOnLoop: Bool)
    /// A closure for the outcome of a unary call. It is called on the loop.
    case callback(EventLoop, @Sendable (CallOutcome) -> Void)
    /// The queues of a streaming call.
    case exchange(CallExchange)
  }

  /// The number of the call on its channel, from 1.
  let id: UInt64
  let path: String
  /// The framed message of a unary call.
  let body: [UInt8]
  let headers: PreparedMetadata
  let start: ContinuousClock.Instant
  let timeout: Duration?
  let maxReceiveMessageSize: Int
  let waitForReady: Bool
  let compression: Compression
  let retryPolicy: RetryPolicy?
  /// Whether the response is exactly one message.
  let expectsOneMessage: Bool
  let caller: Caller
  /// Receive the events of the call, on the loop.
  let observers: CallObservers

  let deadline: ContinuousClock.Instant?

  init(
    id: UInt64, path: String, body: [UInt8] = [], start: ContinuousClock.Instant,
    kind: MethodKind, options: CallOptions, headers: PreparedMetadata, caller: Caller,
    observers: CallObservers = CallObservers()
  ) {
    self.id = id
    self.path = path
    self.body = body
    self.start = start
    self.headers = headers
    let timeout = options.timeout.map(Timeout.bounded)
    self.timeout = timeout
    deadline = timeout.map { start + $0 }
    maxReceiveMessageSize = options.maxReceiveMessageSize
    waitForReady = options.waitForReady
    compression = options.compression
    retryPolicy = options.retryPolicy
    expectsOneMessage = kind.expectsOneMessage
    self.caller = caller
    self.observers = observers
  }

  var metadata: Metadata { headers.metadata }
}

/// The result of a unary call.
package struct CallOutcome: Sendable {
  /// The response of a call that ended with OK.
  package struct Answer: Hashable, Sendable {
    package var message: [UInt8]
    var headers: Metadata
    var trailers: Metadata
  }

  enum End: Sendable {
    case answered(Answer)
    /// Indirect, because errors are large and rare.
    indirect case failed(CallError)
  }

  let end: End
  /// Whether the message is still compressed; never outside of ``Channel``.
  let isCompressed: Bool
  /// The number of times the call was sent.
  let attempts: Int
  /// The address of the peer that answered.
  let peer: SocketAddress?

  init(_ end: End, isCompressed: Bool = false, attempts: Int, peer: SocketAddress? = nil) {
    self.end = end
    self.isCompressed = isCompressed
    self.attempts = attempts
    self.peer = peer
  }

  /// - Throws: the error of a failed call.
  package consuming func answer() throws(CallError) -> Answer {
    switch end {
    case .answered(let answer): return answer
    case .failed(let error): throw error
    }
  }

  /// Returns an error of the response, completed with the details of the call.
  package func complete(_ error: CallError, path: String) -> CallError {
    var error = error
    error.path = path
    error.attempts = attempts
    error.peer = error.peer ?? peer?.description
    if case .answered(let answer) = end {
      error.headers = answer.headers
      error.trailers = answer.trailers
    }
    return error
  }

  package var error: CallError? {
    if case .failed(let error) = end { error } else { nil }
  }
}
