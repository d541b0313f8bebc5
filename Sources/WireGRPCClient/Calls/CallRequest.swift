package import WireGRPC
package import WireIO

/// What a caller hands to the loop: all it takes to send one call, and where the answer goes.
///
/// A class, as it goes through several hands, and each copy would retain all that it holds.
final class CallRequest: Sendable {
  enum Caller: Sendable {
    /// Waits for the outcome of a unary call, on the channel's loop or elsewhere.
    case waiter(Waiter<CallOutcome>, isOnLoop: Bool)
    /// Sends and reads as the call goes on.
    case exchange(CallExchange)
  }

  /// Counts the calls of a channel from 1.
  let id: UInt64
  let path: String
  /// The message of a unary call in its frame.
  let body: [UInt8]
  let metadata: Metadata
  let start: ContinuousClock.Instant
  let timeout: Duration?
  let maxReceiveMessageSize: Int
  let waitForReady: Bool
  let compression: Compression
  let retryPolicy: RetryPolicy?
  /// Whether the answer is one message.
  let wantsOneMessage: Bool
  let caller: Caller
  /// Told of what happens to the call, on the loop.
  let observers: [@Sendable (CallEvent) -> Void]

  let deadline: ContinuousClock.Instant?

  init(
    id: UInt64, path: String, body: [UInt8] = [], start: ContinuousClock.Instant,
    kind: MethodKind, options: CallOptions, caller: Caller,
    observers: [@Sendable (CallEvent) -> Void] = []
  ) {
    self.id = id
    self.path = path
    self.body = body
    self.start = start
    metadata = options.metadata
    let timeout = options.timeout.map(Timeout.bounded)
    self.timeout = timeout
    deadline = timeout.map { start + $0 }
    maxReceiveMessageSize = options.maxReceiveMessageSize
    waitForReady = options.waitForReady
    compression = options.compression
    retryPolicy = options.retryPolicy
    wantsOneMessage = kind.wantsOneMessage
    self.caller = caller
    self.observers = observers
  }
}

/// How a unary call ended.
package struct CallOutcome: Sendable {
  /// What a call that ended with OK brought.
  package struct Answer: Hashable, Sendable {
    package var message: [UInt8]
    package var headers: Metadata
    package var trailers: Metadata
  }

  package enum End: Sendable {
    case answered(Answer)
    /// Apart from where it is told, as it is large, and rare.
    indirect case failed(CallError)
  }

  package let end: End
  /// Whether the message is as it came; never outside of ``Channel``.
  let isCompressed: Bool
  /// How many times the call was sent.
  package let attempts: Int
  /// Where the answer came from.
  package let peer: SocketAddress?

  init(_ end: End, isCompressed: Bool = false, attempts: Int, peer: SocketAddress? = nil) {
    self.end = end
    self.isCompressed = isCompressed
    self.attempts = attempts
    self.peer = peer
  }

  /// - Throws: what the call failed with.
  package consuming func answer() throws(CallError) -> Answer {
    switch end {
    case .answered(let answer): return answer
    case .failed(let error): throw error
    }
  }

  /// An error of the answer, with what is known of the call.
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
