import WireGRPC
import WireHTTP2
import WireIO
import WireSystem
import WireTLS
import WireTransport

/// The state that all connections of a channel share.
struct ConnectionContext {
  let loop: EventLoop
  let ownsLoop: Bool
  let target: Target
  let proxy: Proxy?
  let connectRequest: ConnectRequest?
  /// The TLS context for the proxy itself; nil without TLS.
  let proxyTLS: TLSContext?
  let tls: TLSContext?
  /// The name that TLS sends (SNI) and verifies.
  let serverName: String
  let headers: RequestHeaders
  let http2: HTTP2Configuration
  let connectTimeout: Duration
  let allowsRetries: Bool
  let retriesConnecting: Bool
  let idleTimeout: Duration?
  let resolve: ChannelConfiguration.Resolve
  let connect: (@Sendable () -> any ByteStream)?
  let keepalive: Keepalive?
  let redactor: CredentialRedactor?
  /// Nil if nothing is traced.
  let trace: Tracer?
  let metrics: (@Sendable (ChannelMetric) -> Void)?

  /// The time of the loop.
  var now: ContinuousClock.Instant { loop.now }

  /// The endpoint that is resolved and dialed: the proxy if there is one, else the target.
  var dialedEndpoint: Target.Endpoint {
    proxy.map { .host($0.host, port: $0.port) } ?? target.endpoint
  }

  /// Returns "host:port", with the proxy, or with the address if that differs.
  func peer(_ address: SocketAddress? = nil) -> String {
    let name = target.description
    if let proxy {
      let place = address.map { $0.description == "\(proxy)" ? "" : " at \($0)" } ?? ""
      return "\(name) through the proxy \(proxy)\(place)"
    }
    guard let address else { return name }
    return name == address.description ? name : "\(name) (\(address))"
  }

  func failure(
    _ reason: ConnectionFailure.Reason, at address: SocketAddress, _ detail: String
  ) -> ConnectionFailure {
    ConnectionFailure(reason: reason, peer: peer(address), detail: detail)
  }
}

extension ConnectionContext {
  /// Starts the channel's loop unless there is one already.
  ///
  /// - Throws: a failure with the reason `configuration` or `proxyConfiguration`.
  init(_ target: Target, _ configuration: ChannelConfiguration) throws(ConnectionFailure) {
    func failure(
      _ detail: String, _ reason: ConnectionFailure.Reason = .configuration
    ) -> ConnectionFailure {
      ConnectionFailure(reason: reason, peer: target.description, detail: detail)
    }
    if let fault = configuration.fault { throw failure(fault) }
    self.target = target
    let authority = configuration.authority ?? target.authority
    guard let name = (try? HostAndPort(authority))?.host else {
      throw failure("\"\(authority)\" is not a valid authority; expected host or host:port")
    }
    proxy = try mapError(configuration.proxy.proxy(for: target)) { (error: ProxyURLError) in
      failure(error.reason, .proxyConfiguration)
    }
    serverName =
      if case .tls(let tls) = configuration.security { tls.serverName ?? name } else { "" }
    do throws(TLSError) {
      (tls, proxyTLS) = try configuration.security.contexts(
        proxyUsesTLS: proxy?.usesTLS ?? false,
        until: configuration.filesDeadline ?? .now + Timeout.bounded(configuration.connectTimeout),
        keyLogFailed: configuration.keyLogFailed)
    } catch {
      var failure = failure(error.description)
      failure.inputFault = error.inputFault.map { .error($0) }
      throw failure
    }
    headers = RequestHeaders(
      scheme: tls == nil ? "http" : "https", authority: authority,
      userAgent: UserAgent.text(prefix: configuration.userAgentPrefix))
    if let proxy, let (host, port) = target.tunnelEnd {
      connectRequest = ConnectRequest(
        proxy: proxy, target: HostAndPort(host: host, port: port).description,
        userAgent: headers.userAgent)
    } else {
      connectRequest = nil
    }
    var http2 = HTTP2Configuration()
    http2.maxHeaderListSize = configuration.maxHeaderListSize
    http2.firstStreamID = configuration.firstStreamID
    http2.tracesFrames = configuration.trace != nil
    self.http2 = http2
    connectTimeout = Timeout.bounded(configuration.connectTimeout)
    allowsRetries = configuration.allowsRetries
    retriesConnecting = configuration.retriesConnecting
    resolve = configuration.resolve
    connect = configuration.connect
    idleTimeout = configuration.idleTimeout.map(Timeout.bounded)
    keepalive = configuration.keepalive.map {
      Keepalive(
        time: min(max($0.time, configuration.shortestKeepalive), Timeout.longest),
        timeout: Timeout.bounded($0.timeout), withoutCalls: $0.withoutCalls)
    }
    redactor = configuration.redactor ?? configuration.trace.map { _ in CredentialRedactor() }
    let redactor = redactor
    trace = configuration.trace.map { Tracer($0, redactor) }
    metrics = configuration.metrics
    ownsLoop = configuration.loop == nil
    if let loop = configuration.loop {
      self.loop = loop
      return
    }
    do throws(IOError) {
      loop = try EventLoop.start(name: "channel to \(target.description)")
    } catch {
      throw failure("the channel's thread cannot be started: \(error)")
    }
  }
}

extension ChannelConfiguration.Security {
  /// Returns the contexts for the target and for a proxy that uses TLS.
  fileprivate func contexts(
    proxyUsesTLS: Bool, until deadline: ContinuousClock.Instant,
    keyLogFailed: (@Sendable (IOError.Code) -> Void)?
  ) throws(TLSError) -> (target: TLSContext?, proxy: TLSContext?) {
    var forProxy = TLSConfiguration()
    var target: TLSContext?
    if case .tls(let configuration) = self {
      target = try TLSContext(
        client: configuration, until: deadline, keyLogFailed: keyLogFailed)
      forProxy.trust = configuration.trust
      forProxy.verification = configuration.verification
      forProxy.keyLogFile = configuration.keyLogFile
    }
    forProxy.applicationProtocols = []
    return (
      target,
      proxyUsesTLS
        ? try TLSContext(
          client: forProxy, until: deadline, rootsOf: target, keyLogFailed: keyLogFailed) : nil
    )
  }
}
