import WireGRPC
import WireIO

/// A call as the caller submits it to the loop.
///
/// A class: it is passed on several times, and each copy of a struct would retain all members.
final class CallRequest: Sendable {
  enum Caller: Sendable {
    /// A task that waits for the outcome of a unary call, on the channel's loop or another thread.
    case waiter(Waiter<CallOutcome>, isOnLoop: Bool)
    /// A closure for the outcome of a unary call. It is called on the loop.
    case callback(EventLoop, @Sendable (CallOutcome) -> Void)
    case exchange(CallExchange)
  }

  /// The number of the call on its channel, from 1.
  let id: UInt64
  let path: String
  /// The framed message of a unary call.
  let body: [UInt8]
  let headers: PreparedMetadata
  let timeout: Duration?
  let maxReceiveMessageSize: Int
  let waitForReady: Bool
  let compression: Compression
  let retryPolicy: RetryPolicy?
  let expectsOneMessage: Bool
  let caller: Caller
  /// Receive the events of the call, on the loop.
  let observers: CallObservers
  let deadline: ContinuousClock.Instant?

  /// - Parameter frame: the framed message of a request with only one.
  init(
    _ call: PendingCall, at start: ContinuousClock.Instant, _ frame: [UInt8]?,
    _ headers: PreparedMetadata, _ caller: Caller
  ) {
    id = call.id
    path = call.path
    self.headers = headers
    let options = call.options
    let timeout = options.timeout.map(Timeout.bounded)
    self.timeout = timeout
    deadline = timeout.map { start + $0 }
    maxReceiveMessageSize = options.maxReceiveMessageSize
    waitForReady = options.waitForReady
    compression = options.compression
    retryPolicy = options.retryPolicy
    expectsOneMessage = call.kind.expectsOneMessage
    self.caller = caller
    observers = call.observers
    if case .exchange(let exchange) = caller {
      body = []
      if let frame { exchange.sendOnly(frame) }
    } else {
      body = frame ?? []
    }
  }

  var metadata: Metadata { headers.metadata }
}

struct CallOutcome: Sendable {
  struct Answer: Sendable {
    var message: [UInt8]
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
  var isCompressed = false
  let attempts: Int
  var peer: SocketAddress?
}
