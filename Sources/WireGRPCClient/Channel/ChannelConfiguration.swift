public import WireGRPC
package import WireIO
public import WireTLS
import WireTransport

/// How a channel reaches its server, and its limits.
public struct ChannelConfiguration: Sendable {
  public enum Security: Sendable {
    case plaintext
    case tls(TLSConfiguration)
  }

  /// Where to find out about the HTTP proxy to go through (gRFC A1).
  ///
  /// The proxy resolves the target's name and connects to it; TLS, if any, is spoken with the target
  /// through it. Of a list of addresses (`ipv4:`, `ipv6:`) it is asked for the first. `unix:` targets
  /// are always reached directly.
  public enum ProxySource: Sendable, Hashable {
    /// The variables `grpc_proxy`, `https_proxy` and `http_proxy`, the first that is set, with the
    /// exceptions in `no_grpc_proxy` or `no_proxy`: `domain` or `.domain`, which is its own host and
    /// all below it, an address or a network such as `10.0.0.0/8`, each but the last perhaps with
    /// `:port`; `*` for all. Capitals work, too, but for `HTTP_PROXY`. Loopback targets are reached
    /// directly.
    case environment
    /// No proxy.
    case none
    /// This one for every target, `[http://|https://][user:password@]host[:port]`; user and password
    /// percent-encoded, the port 80 or 443 if not given. With `https` the proxy itself is spoken to
    /// in TLS, under the same roots as the target.
    case url(String)
  }

  public var security: Security
  public var proxy: ProxySource
  /// What calls carry as `:authority`, and the name that TLS asks for and verifies unless
  /// ``TLSConfiguration/serverName`` says another; nil takes it from the target.
  public var authority: String?
  /// Put before the library's own `user-agent`, as "my-app/1.0".
  public var userAgentPrefix: String?
  /// How long resolving, connecting, the TLS handshake and the peer's SETTINGS may take together;
  /// above 0. Also how long a channel that is being made waits for files that are pipes.
  public var connectTimeout: Duration
  /// When to give up waiting for files that are pipes; nil goes by ``connectTimeout``.
  package var filesDeadline: ContinuousClock.Instant?
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
  /// (name + value + 32 for each), 1...2^32-1. A longer one fails the call with RESOURCE_EXHAUSTED.
  public var maxHeaderListSize: Int
  /// Whether the policy of a call counts for connections that cannot be made even with ``failFast``:
  /// then each attempt dials at once.
  package var retriesConnecting = false
  /// Defaults of calls by method, and when retries are throttled.
  public var serviceConfig: ServiceConfig
  /// Whether calls are tried again by their ``RetryPolicy``. Without that a call is still sent again,
  /// once, when the server never acted on it.
  public var allowsRetries: Bool
  /// Asked before each call is sent, in this order.
  public var interceptors: [any ClientInterceptor]
  /// Called with all that is worth counting, mostly on the channel's own thread: it must return soon.
  public var metrics: (@Sendable (ChannelMetric) -> Void)?
  /// Called with every step, on the channel's own thread: it must return soon. Credentials are
  /// redacted before it sees them, also where the peer repeats those of the last calls.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// Told of the metadata of every call; nil has the channel redact its trace by itself.
  package var redactor: CredentialRedactor?
  /// The loop that the channel lives on, and that outlives it; nil starts one for the channel.
  package var loop: EventLoop?
  /// The id of each connection's first stream, for tests that see the ids run out.
  package var firstStreamID: Int32 = 1
  package typealias Resolve =
    @Sendable (_ host: String, _ port: UInt16) async throws(ResolverError) -> [SocketAddress]
  /// What asks for the addresses of a name; it ends when its task is cancelled.
  package var resolve: Resolve = { host, port throws(ResolverError) in
    try await Resolver.resolve(host: host, port: port)
  }
  /// What ``Keepalive/time`` is at least; tests have no time.
  package var shortestKeepalive = Duration.seconds(10)

  public init(
    security: Security = .tls(TLSConfiguration()), proxy: ProxySource = .environment,
    authority: String? = nil,
    userAgentPrefix: String? = nil, connectTimeout: Duration = .seconds(20),
    maxConnections: Int = 4, idleTimeout: Duration? = .seconds(30 * 60),
    keepalive: Keepalive? = nil,
    failFast: Bool = false, maxHeaderListSize: Int = 64 * 1024,
    serviceConfig: ServiceConfig = ServiceConfig(), allowsRetries: Bool = true,
    interceptors: [any ClientInterceptor] = [],
    trace: (@Sendable (TraceEvent) -> Void)? = nil,
    metrics: (@Sendable (ChannelMetric) -> Void)? = nil
  ) {
    self.security = security
    self.proxy = proxy
    self.authority = authority
    self.userAgentPrefix = userAgentPrefix
    self.connectTimeout = connectTimeout
    self.maxConnections = maxConnections
    self.idleTimeout = idleTimeout
    self.keepalive = keepalive
    self.failFast = failFast
    self.maxHeaderListSize = maxHeaderListSize
    self.serviceConfig = serviceConfig
    self.allowsRetries = allowsRetries
    self.interceptors = interceptors
    self.metrics = metrics
    self.trace = trace
  }
}

extension ChannelConfiguration.ProxySource: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Without the password that may be in the URL.
  public var description: String {
    switch self {
    case .environment: "the environment's proxy"
    case .none: "no proxy"
    case .url(let url): (try? Proxy(url)).map { "the proxy \($0)" } ?? "a malformed proxy"
    }
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The proxy on the way to a target, or nil.
  func proxy(for target: Target) throws(ProxyURLError) -> Proxy? {
    guard let (host, port) = target.tunnelEnd else { return nil }
    switch self {
    case .none:
      return nil
    case .environment:
      return try ProxyEnvironment.process.proxy(for: host, port: port)
    case .url(let url):
      do throws(ProxyURLError) {
        return try Proxy(url)
      } catch {
        throw ProxyURLError("the proxy cannot be used: \(error.reason)")
      }
    }
  }
}
