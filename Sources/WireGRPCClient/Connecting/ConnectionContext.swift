import WireGRPC
import WireHTTP2
import WireIO
import WireSystem
import WireTLS
import WireTransport

/// What all connections of a channel share.
struct ConnectionContext {
  let loop: EventLoop
  /// Whether the loop ends with the channel.
  let ownsLoop: Bool
  let target: Target
  /// On the way to the target, if any.
  let proxy: Proxy?
  let connectRequest: ConnectRequest?
  /// For the proxy itself, if it is spoken to in TLS.
  let proxyTLS: TLSContext?
  let tls: TLSContext?
  /// The name that TLS asks for and verifies.
  let serverName: String
  let headers: RequestHeaders
  let http2: HTTP2Configuration
  let connectTimeout: Duration
  let allowsRetries: Bool
  let retriesConnecting: Bool
  let idleTimeout: Duration?
  let resolve: ChannelConfiguration.Resolve
  let keepalive: Keepalive?
  /// Told of the metadata of calls, if anything of them is shown.
  let redactor: CredentialRedactor?
  let trace: Tracer
  let metrics: (@Sendable (ChannelMetric) -> Void)?

  /// What is resolved and dialled: the proxy if there is one, else the target.
  var dialled: Target.Endpoint {
    proxy.map { .host($0.host, port: $0.port) } ?? target.endpoint
  }

  /// "host:port", with the proxy or the address it stands for when that says more.
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

  /// The error with the address that it is about.
  func located(_ error: CallError, at address: SocketAddress) -> CallError {
    var error = error
    error.peer = address.description
    return error
  }
}

extension ConnectionContext {
  /// Starts the channel's loop unless there is one already.
  ///
  /// - Throws: a failure with the reason `configuration`.
  init(_ target: Target, _ configuration: ChannelConfiguration) throws(ConnectionFailure) {
    func failure(_ detail: String) -> ConnectionFailure {
      ConnectionFailure(reason: .configuration, peer: target.description, detail: detail)
    }
    if let fault = configuration.fault { throw failure(fault) }
    self.target = target
    let authority = configuration.authority ?? target.authority
    guard let name = (try? HostAndPort(authority))?.host else {
      throw failure("\"\(authority)\" is not a valid authority; expected host or host:port")
    }
    do throws(ProxyURLError) {
      proxy = try configuration.proxy.proxy(for: target)
    } catch {
      throw failure(error.reason)
    }
    serverName =
      if case .tls(let tls) = configuration.security { tls.serverName ?? name } else { "" }
    do throws(TLSError) {
      (tls, proxyTLS) = try configuration.security.contexts(
        proxyUsesTLS: proxy?.usesTLS ?? false,
        until: configuration.filesDeadline ?? .now + Timeout.bounded(configuration.connectTimeout))
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
    idleTimeout = configuration.idleTimeout.map(Timeout.bounded)
    keepalive = configuration.keepalive.map {
      Keepalive(
        time: min(max($0.time, configuration.shortestKeepalive), Timeout.longest),
        timeout: Timeout.bounded($0.timeout), withoutCalls: $0.withoutCalls)
    }
    redactor = configuration.redactor ?? configuration.trace.map { _ in CredentialRedactor() }
    trace = Tracer(configuration.trace, redactor)
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
  /// What the engines for the target, and those for a proxy that is spoken to in TLS, share.
  fileprivate func contexts(
    proxyUsesTLS: Bool, until deadline: ContinuousClock.Instant
  ) throws(TLSError) -> (target: TLSContext?, proxy: TLSContext?) {
    var forProxy = TLSConfiguration()
    var target: TLSContext?
    if case .tls(let configuration) = self {
      target = try TLSContext(client: configuration, until: deadline)
      forProxy.trust = configuration.trust
      forProxy.verification = configuration.verification
      forProxy.keyLogFile = configuration.keyLogFile
    }
    forProxy.applicationProtocols = []
    return (
      target,
      proxyUsesTLS ? try TLSContext(client: forProxy, until: deadline, rootsOf: target) : nil
    )
  }
}
