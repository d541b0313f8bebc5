/// The error of a call, with its gRPC status, details and origin.
///
/// Bridged to Foundation, its domain is `io.grpc` and its code is the number of ``code``:
/// `(error as NSError).domain == "io.grpc"`.
public struct CallError: Error, Sendable, Hashable {
  /// Where the error occurred.
  public enum Origin: Sendable, Hashable {
    /// The server, in its trailers.
    case server
    /// The connection or the HTTP/2 stream failed, or the response is not gRPC.
    case transport
    /// The client: a deadline, a cancellation, a limit, invalid metadata.
    case local
  }

  /// Whether a retry without changes can succeed.
  public enum Kind: Sendable, Hashable {
    /// The server or the network failed. A later retry may succeed, unless
    /// ``CallError/connectionFailure`` has a cause that only a change of the setup removes, such as an
    /// untrusted certificate.
    case serverOrNetwork
    /// The request, the configuration of the channel, or the caller is the cause. A retry will not
    /// help, except later if a quota was exceeded (RESOURCE_EXHAUSTED).
    case client
  }

  /// The status code.
  public var code: StatusCode
  /// A human-readable message; may be empty. Credentials of the call are masked if the server echoes them.
  /// ``details``, ``headers`` and ``trailers`` are as the server sent them.
  public var message: String
  /// The google.rpc details of the status, in the order received.
  public var details: [ErrorDetail]
  /// The headers that the server sent before the call failed; empty if it sent none before its
  /// trailers (Trailers-Only). If the response is not gRPC, the headers of the HTTP response.
  public var headers: Metadata
  /// The trailers without `grpc-status` and `grpc-message`. If the response is not gRPC, the
  /// headers of the HTTP response.
  public var trailers: Metadata
  /// Where the error occurred.
  public var origin: Origin
  // These two fill the space before the next integer.
  package var isChannelClosed = false
  /// The kind that another process determined, if the code and the origin do not imply it.
  package var reportedKind: Kind?
  /// The number of times the call was sent; 0 if it never was.
  public var attempts: Int
  /// The attempts before the last, in order.
  public var earlierAttempts: [FailedAttempt]
  /// The server's instruction for retries.
  public var retryPushback: RetryPushback?
  /// Set if no connection could be made.
  public var connectionFailure: ConnectionFailure?
  /// The address of the server or proxy that received the last attempt; nil if none did.
  public var peer: String?
  /// The `:path` of the call; nil if the error is not about a call.
  public var path: String?
  /// The error that the caller's code threw and that ended the call: the body of an upload, an
  /// interceptor or a token provider. Ignored by `==` and `hash(into:)`.
  public var underlyingError: (any Error)? {
    get { uncompared.error }
    set { uncompared.error = newValue }
  }
  /// The event that ended the call, if advice to the user depends on it. Ignored by `==` and `hash(into:)`.
  package var cause: Cause? {
    get { uncompared.cause }
    set { uncompared.cause = newValue }
  }
  private var uncompared = Uncompared()

  /// Creates an error, for example for a test or for an interceptor that ends a call.
  public init(
    code: StatusCode, message: String, details: [ErrorDetail] = [],
    headers: Metadata = Metadata(), trailers: Metadata = Metadata(), origin: Origin,
    attempts: Int = 0,
    earlierAttempts: [FailedAttempt] = [], retryPushback: RetryPushback? = nil,
    connectionFailure: ConnectionFailure? = nil, peer: String? = nil,
    path: String? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.headers = headers
    self.trailers = trailers
    self.origin = origin
    self.attempts = attempts
    self.earlierAttempts = earlierAttempts
    self.retryPushback = retryPushback
    self.connectionFailure = connectionFailure
    self.peer = peer
    self.path = path
  }

  /// Whether the server or the network caused the error, or the caller.
  ///
  /// For errors of the server and the transport, the code decides: CANCELLED, UNKNOWN,
  /// DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS and codes without a name are
  /// ``CallError/Kind/serverOrNetwork``, all others ``CallError/Kind/client``. Local errors are
  /// ``CallError/Kind/client``: invalid metadata, a cancellation, a closed channel or a failing
  /// interceptor. The exceptions are a deadline that passed, and an interceptor or a token provider
  /// that throws UNAVAILABLE.
  public var kind: Kind {
    if let reportedKind { return reportedKind }
    if isChannelClosed || connectionFailure?.reason.fault == .caller { return .client }
    return switch code.named {
    case .deadlineExceeded, .unavailable:
      .serverOrNetwork
    case .cancelled, .unknown, .aborted, .internal, .dataLoss:
      origin == .local ? .client : .serverOrNetwork
    default:
      .client
    }
  }

  /// The first `google.rpc.ErrorInfo` of ``details``, with the reason, its domain and metadata; nil without one.
  public var errorInfo: ErrorInfo? {
    for case .errorInfo(let info) in details { return info }
    return nil
  }

  /// The reason of ``errorInfo``, such as `SERVICE_DISABLED`; nil if the server gave none.
  ///
  /// Reasons are for programs, and unique in the domain. Those of Google's domain `googleapis.com` are the
  /// values of `google.api.ErrorReason`.
  public var reason: String? { errorInfo.flatMap { $0.reason.isEmpty ? nil : $0.reason } }

  // The standard library reads these two to bridge an error, without Foundation.
  public var _domain: String { "io.grpc" }
  public var _code: Int { code.rawValue }
}

extension CallError {
  /// An event that ended a call and that advice to the user depends on.
  package enum Cause: Sendable, Equatable {
    /// The server reset the stream because the client sends too much (ENHANCE_YOUR_CALM).
    case excessiveLoad
    /// The server reset the stream because the connection has no TLS, or weak TLS (INADEQUATE_SECURITY).
    case inadequateSecurity
    /// The server violated HTTP/2, which ended the connection.
    case connectionViolation
    /// The server sent OK with no message or with several.
    case wrongMessageCount
    /// The deadline passed between an attempt that failed and the next one.
    case pauseBeforeRetry
    /// The deadline passed while the token provider or an interceptor ran.
    case slowPreparation
    /// The server ended the call with OK while the client was sending.
    case endedByServer
    /// The response is an HTTP redirect to this location.
    indirect case redirect(String)
    /// The response is an HTML page; the title is nil if its head has none.
    indirect case webPage(title: String?)
    case grpcWeb
  }
}

/// Wraps values so that comparisons of the error ignore them.
private struct Uncompared: Sendable, Hashable {
  var error: (any Error)?
  var cause: CallError.Cause?

  static func == (a: Uncompared, b: Uncompared) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension CallError: CustomStringConvertible {
  /// "NOT_FOUND: no such trip (/maps.fleetengine.v1.TripService/GetTrip at 10.0.0.1:443, attempt 1)",
  /// followed by the error of the first attempt if it differs.
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
