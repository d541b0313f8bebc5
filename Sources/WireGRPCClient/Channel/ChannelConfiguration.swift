public import WireGRPC
package import WireIO
package import WireSystem
public import WireTLS
package import WireTransport

/// How a channel reaches its server, and its limits.
public struct ChannelConfiguration: Sendable {
  /// Whether the connections use TLS.
  public enum Security: Sendable {
    /// HTTP/2 without TLS (prior knowledge, RFC 9113 §3.3).
    case plaintext
    /// HTTP/2 over TLS.
    case tls(TLSConfiguration)
  }

  /// The source of the HTTP proxy (gRFC A1).
  ///
  /// The proxy resolves the target's name and connects to it. TLS with the target runs through the
  /// proxy. If the target is a list of addresses (`ipv4:`, `ipv6:`), the proxy connects to the
  /// first. `unix:` targets never use a proxy.
  public enum ProxySource: Sendable, Hashable {
    /// The first of the variables `grpc_proxy`, `https_proxy` and `http_proxy` that is set.
    ///
    /// `no_grpc_proxy` or `no_proxy` lists exceptions: `domain` or `.domain`, which match the host
    /// and its subdomains, an address, or a network such as `10.0.0.0/8`. Domains and addresses may
    /// have `:port`. `*` matches everything. The names of the variables may also be in capitals,
    /// except `HTTP_PROXY`. Loopback targets never use a proxy.
    case environment
    /// No proxy.
    case none
    /// This proxy for every target: `[http://|https://][user:password@]host[:port]`, with user and
    /// password percent-encoded. The default ports are 80 and 443. With `https`, the connection to
    /// the proxy uses TLS and trusts the same roots as the target.
    case url(String)
  }

  /// Whether the connections use TLS; TLS with the roots of the system by default.
  public var security: Security
  /// The source of the HTTP proxy; the environment by default.
  public var proxy: ProxySource
  /// The `:authority` of calls; nil uses the target's host and port. TLS also sends and verifies
  /// its host name, unless ``TLSConfiguration/serverName`` is set.
  public var authority: String?
  /// A prefix for the library's `user-agent`, such as "my-app/1.0".
  public var userAgentPrefix: String?
  /// The time limit for name resolution, connecting, TLS handshake and the peer's SETTINGS
  /// together; above 0. It also limits how long the initializer of ``Channel`` waits for files that
  /// are pipes.
  public var connectTimeout: Duration
  /// The deadline for reading files that are pipes; nil uses ``connectTimeout``.
  package var filesDeadline: ContinuousClock.Instant?
  /// The maximum number of connections, at least 1.
  ///
  /// Calls beyond the server's stream limit wait in a queue. If the queue does not become empty
  /// within 50 ms, the channel opens another connection. Connections close after ``idleTimeout``
  /// without calls.
  public var maxConnections: Int
  /// The time without a call after which a connection is closed; nil keeps it open. The next call
  /// resolves the name and connects again.
  public var idleTimeout: Duration?
  /// HTTP/2 pings that detect a vanished server; nil leaves the detection to the kernel.
  public var keepalive: Keepalive?
  /// Whether the channel connects without backoff. This is not gRPC's fail-fast of a call, which is the
  /// opposite of ``CallOptions/waitForReady``.
  ///
  /// If true, a failure to connect fails all waiting calls, including those with
  /// ``CallOptions/waitForReady``, and the next call connects at once. If false, attempts are spaced
  /// by gRPC's backoff (connection-backoff.md); until the next attempt, calls without
  /// ``CallOptions/waitForReady`` fail with the last failure.
  public var failFast: Bool
  /// The maximum size of response headers or trailers, in bytes as HTTP/2 counts them (name + value
  /// + 32 per field), 1...2^32-1. Larger ones fail the call with RESOURCE_EXHAUSTED.
  public var maxHeaderListSize: Int
  /// Whether calls retry failures to connect by their policy even with ``failFast``. Each attempt
  /// then connects at once.
  package var retriesConnecting = false
  /// Defaults of calls by method, and the retry throttle.
  public var serviceConfig: ServiceConfig
  /// Whether calls are retried by their ``RetryPolicy``. If false, a call that the server did not
  /// process is still sent again.
  public var allowsRetries: Bool
  /// Interceptors of all calls, in the order in which they run.
  public var interceptors: [any ClientInterceptor]
  /// Receives metrics, mostly on the channel's thread. It must return quickly.
  public var metrics: (@Sendable (ChannelMetric) -> Void)?
  /// Receives trace events on the channel's thread. It must return quickly. Credentials are
  /// redacted. If the peer echoes credentials of a recent call, the echoes are redacted, too.
  public var trace: (@Sendable (TraceEvent) -> Void)?
  /// Collects the credentials of every call; nil lets the channel use one of its own for its trace.
  package var redactor: CredentialRedactor?
  /// Called for each line that cannot be written to ``TLSConfiguration/keyLogFile``.
  package var keyLogFailed: (@Sendable (IOError.Code) -> Void)?
  /// The loop of the channel, which must outlive it; nil starts one for the channel.
  package var loop: EventLoop?
  /// Connects to a server in this process, instead of to the target; called on the loop. Without TLS and proxies.
  package var connect: (@Sendable () -> any ByteStream)?
  /// The ID of each connection's first stream; tests set it to exhaust the IDs.
  var firstStreamID: Int32 = 1
  typealias Resolve =
    @Sendable (_ host: String, _ port: UInt16) async throws(ResolverError) -> [SocketAddress]
  /// Resolves a host name; ends when its task is canceled.
  var resolve: Resolve = { host, port throws(ResolverError) in
    try await Resolver.resolve(host: host, port: port)
  }
  /// The lower limit of ``Keepalive/time``; tests reduce it.
  package var shortestKeepalive = Duration.seconds(10)

  /// Creates a configuration. See the properties for the limits.
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
  /// Omits the password of the proxy URL.
  public var description: String {
    switch self {
    case .environment: "the proxy from the environment"
    case .none: "no proxy"
    case .url(let url): (try? Proxy(url)).map { "the proxy \($0)" } ?? "a malformed proxy"
    }
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: []) }

  func proxy(for target: Target) throws(ProxyURLError) -> Proxy? {
    guard let (host, port) = target.tunnelEnd else { return nil }
    switch self {
    case .none:
      return nil
    case .environment:
      return try ProxyEnvironment.process.proxy(for: host, port: port)
    case .url(let url):
      return try mapError(Proxy(url)) { (error: ProxyURLError) in
        ProxyURLError("the proxy cannot be used: \(error.reason)")
      }
    }
  }
}
