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
  /// How many connections there may be at a time, at least 1. Calls beyond the streams that the
  /// server allows wait in a queue; when that does not empty for 50 ms a further connection is
  /// opened. Those that are not needed any more are closed after ``idleTimeout``.
  public var maxConnections: Int
  /// After which time without a call a connection is closed; the next call dials again, and resolves
  /// the name anew. Nil keeps connections for good.
  public var idleTimeout: Duration?
  /// How to find out that the server has vanished; nil leaves that to the kernel.
  public var keepalive: Keepalive?
  /// Whether a connection that cannot be made fails the waiting calls at once, and the next call
  /// dials at once again; otherwise failed attempts are spaced by the back-off of gRPC
  /// (connection-backoff.md) and calls made meanwhile fail with the last failure.
  public var failFast: Bool
  /// The longest block of response headers or trailers, in bytes as HTTP/2 counts them
  /// (name + value + 32 for each). A longer one fails the call with RESOURCE_EXHAUSTED.
  public var maxHeaderListSize: Int
  /// Called with every step, on the channel's own thread: it must return soon. Credentials are
  /// redacted before it sees them.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// The loop that the channel lives on, and that outlives it; nil starts one for the channel.
  package var loop: EventLoop?
  /// The id of each connection's first stream, for tests that see the ids run out.
  package var firstStreamID: Int32 = 1
  /// What ``Keepalive/time`` is at least; tests have no time.
  package var shortestKeepalive = Duration.seconds(10)

  public init(
    security: Security = .tls(TLSConfiguration()), authority: String? = nil,
    userAgentPrefix: String? = nil, connectTimeout: Duration = .seconds(20),
    maxConnections: Int = 4, idleTimeout: Duration? = .seconds(30 * 60),
    keepalive: Keepalive? = nil,
    failFast: Bool = false, maxHeaderListSize: Int = 64 * 1024,
    trace: (@Sendable (TraceEvent) -> Void)? = nil
  ) {
    self.security = security
    self.authority = authority
    self.userAgentPrefix = userAgentPrefix
    self.connectTimeout = connectTimeout
    self.maxConnections = maxConnections
    self.idleTimeout = idleTimeout
    self.keepalive = keepalive
    self.failFast = failFast
    self.maxHeaderListSize = maxHeaderListSize
    self.trace = trace
  }
}
