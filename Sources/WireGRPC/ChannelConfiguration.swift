package import WireIO
public import WireTLS

/// How a channel reaches its server, and its limits.
public struct ChannelConfiguration: Sendable {
  public enum Security: Sendable {
    case plaintext
    case tls(TLSConfiguration)
  }

  public var security: Security
  /// What calls carry as `:authority`, and the name that TLS asks for and verifies; nil takes it
  /// from the target.
  public var authority: String?
  /// Put before the library's own `user-agent`, as "my-app/1.0".
  public var userAgentPrefix: String?
  /// How long resolving, connecting, the TLS handshake and the peer's SETTINGS may take together.
  public var connectTimeout: Duration
  /// Whether a connection that cannot be made fails the waiting calls at once, and the next call
  /// dials at once again; otherwise failed attempts are spaced by the back-off of gRPC
  /// (connection-backoff.md) and calls made meanwhile fail with the last failure.
  public var failFast: Bool
  /// The longest block of response headers or trailers, in bytes as HTTP/2 counts them
  /// (name + value + 32 for each). A longer one fails the call with RESOURCE_EXHAUSTED.
  public var maxHeaderListSize: Int
  /// Defaults of calls by method, and when retries are throttled.
  public var serviceConfig: ServiceConfig
  /// Whether calls are tried again by their ``RetryPolicy``. Without that a call is still sent again,
  /// once, when the server never acted on it.
  public var allowsRetries: Bool
  /// Called with every step, on the channel's own thread: it must return soon. Credentials are
  /// redacted before it sees them.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// The loop that the channel lives on, and that outlives it; nil starts one for the channel.
  package var loop: EventLoop?

  public init(
    security: Security = .tls(TLSConfiguration()), authority: String? = nil,
    userAgentPrefix: String? = nil, connectTimeout: Duration = .seconds(20),
    failFast: Bool = false, maxHeaderListSize: Int = 64 * 1024,
    serviceConfig: ServiceConfig = ServiceConfig(), allowsRetries: Bool = true,
    trace: (@Sendable (TraceEvent) -> Void)? = nil
  ) {
    self.security = security
    self.authority = authority
    self.userAgentPrefix = userAgentPrefix
    self.connectTimeout = connectTimeout
    self.failFast = failFast
    self.maxHeaderListSize = maxHeaderListSize
    self.serviceConfig = serviceConfig
    self.allowsRetries = allowsRetries
    self.trace = trace
  }
}
