/// The error of a call: what gRPC calls a status, with all that is known about it.
///
/// Bridged to Foundation its domain is `io.grpc` and its code the number of ``code``:
/// `(error as NSError).domain == "io.grpc"`.
public struct CallError: Error, Sendable, Hashable {
  /// Who found the call to have failed.
  public enum Origin: Sendable, Hashable {
    /// The server, in its trailers.
    case server
    /// What lies between: the connection, the HTTP/2 stream, or an answer that is not gRPC.
    case transport
    /// This side: a deadline, a cancellation, a limit, metadata that may not be sent.
    case local
  }

  /// Who has to act before the same call can succeed.
  public enum Kind: Sendable, Hashable {
    /// Nobody here: the server or the network may recover, trying again later is right.
    case serverOrNetwork
    /// The caller, who has to change something, or ended the call himself: no time mends it.
    case client
  }

  public var code: StatusCode
  /// For people; may be empty. It has asterisks where the server repeats a credential of the call;
  /// ``details``, ``headers`` and ``trailers`` are as the server sent them.
  public var message: String
  /// What the server added as google.rpc details, in its order.
  public var details: [ErrorDetail]
  /// The headers that the server sent before the call failed; empty if it sent none before its trailers
  /// (Trailers-Only). Of an answer that is not gRPC, the headers of the HTTP response.
  public var headers: Metadata
  /// The same as ``trailers``.
  public var metadata: Metadata
  public var origin: Origin
  /// How many times the call was sent; 0 when it never left.
  public var attempts: Int
  /// What became of the attempts before the last, the first cause first.
  public var earlierAttempts: [FailedAttempt]
  /// What the server said about trying again.
  public var retryPushback: RetryPushback?
  /// Set when no connection could be made.
  public var connectionFailure: ConnectionFailure?
  /// The address of the server or proxy that the last attempt went to; nil when it went nowhere.
  public var peer: String?
  /// The `:path` of the call; nil when the error is not about a call.
  public var path: String?
  /// What the caller's own code threw, and ended the call with: the body of an upload, an interceptor
  /// or a token provider. Errors with the same words are equal, whatever is under them.
  public var underlyingError: (any Error)? {
    get { underlying.error }
    set { underlying.error = newValue }
  }
  private var underlying = Underlying()
  /// Set of a call on a channel that the caller has closed.
  package var isOfClosedChannel = false

  public init(
    code: StatusCode, message: String, details: [ErrorDetail] = [],
    headers: Metadata = Metadata(), metadata: Metadata = Metadata(), origin: Origin,
    attempts: Int = 0,
    earlierAttempts: [FailedAttempt] = [], retryPushback: RetryPushback? = nil,
    connectionFailure: ConnectionFailure? = nil, peer: String? = nil,
    path: String? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.headers = headers
    self.metadata = metadata
    self.origin = origin
    self.attempts = attempts
    self.earlierAttempts = earlierAttempts
    self.retryPushback = retryPushback
    self.connectionFailure = connectionFailure
    self.peer = peer
    self.path = path
  }

  /// The trailers, without `grpc-status` and `grpc-message`. Of an answer that is not gRPC, the headers
  /// of the HTTP response.
  public var trailers: Metadata {
    get { metadata }
    set { metadata = newValue }
  }

  /// Whether the server or the network is to blame, or the caller.
  ///
  /// What the server says, or what happens on the way, is by its code: CANCELLED, UNKNOWN,
  /// DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE and DATA_LOSS are theirs, all others are the
  /// caller's; a number without a name counts as UNKNOWN. What this side found is the caller's:
  /// metadata that may not be sent, a call that he cancelled, a channel that is closed or cannot be
  /// used, an interceptor that fails; save a deadline that passed, and an interceptor that says
  /// UNAVAILABLE.
  public var kind: Kind {
    if isOfClosedChannel || connectionFailure?.reason.fault == .caller { return .client }
    return switch code.named {
    case .deadlineExceeded, .unavailable:
      .serverOrNetwork
    case .cancelled, .unknown, .aborted, .internal, .dataLoss:
      origin == .local ? .client : .serverOrNetwork
    default:
      .client
    }
  }

  // The standard library asks these two when it bridges an error; no Foundation needed.
  public var _domain: String { "io.grpc" }
  public var _code: Int { code.rawValue }
}

/// Any error, of which the one around it takes no account when it is compared.
private struct Underlying: Sendable, Hashable {
  var error: (any Error)?

  static func == (a: Underlying, b: Underlying) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension CallError: CustomStringConvertible {
  /// "NOT_FOUND: no such trip (/maps.fleetengine.v1.TripService/GetTrip at 10.0.0.1:443, attempt 1)",
  /// and what the first attempt failed of if that was something else.
  public var description: String {
    var text = code.description
    if !message.isEmpty { text += ": " + message }
    guard let path else { return text }
    text += " (" + path
    if let peer { text += " at " + peer }
    text += attempts == 0 ? ", never sent" : ", attempt \(attempts)"
    if let first = earlierAttempts.first {
      if attempts == 0 { text += " in \(earlierAttempts.count + 1) attempts" }
      if first.code != code || first.message != message { text += "; the first failed: \(first)" }
    }
    return text + ")"
  }
}
