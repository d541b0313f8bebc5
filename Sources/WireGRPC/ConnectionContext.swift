import WireHTTP2
import WireIO
import WireTLS

/// What all connections of a channel share.
struct ConnectionContext {
  let loop: EventLoop
  /// Whether the loop ends with the channel.
  let ownsLoop: Bool
  let target: Target
  let tls: TLSContext?
  /// The name that TLS asks for and verifies.
  let serverName: String
  let headers: RequestHeaders
  let http2: HTTP2Configuration
  let connectTimeout: Duration
  let allowsRetries: Bool
  let trace: Tracer

  /// "host:port", with the address it stands for when that says more.
  func peer(_ address: SocketAddress) -> String {
    let name = target.description
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
    self.target = target
    let authority = configuration.authority ?? target.authority
    guard let name = Target.hostAndPort(authority[...])?.host else {
      throw failure("\"\(authority)\" cannot be the authority; write it as host or host:port")
    }
    switch configuration.security {
    case .plaintext:
      tls = nil
      serverName = ""
    case .tls(let configuration):
      serverName = name
      do throws(TLSError) {
        tls = try TLSContext(client: configuration)
      } catch {
        throw failure(error.description)
      }
    }
    headers = RequestHeaders(
      scheme: tls == nil ? "http" : "https", authority: authority,
      userAgent: UserAgent.text(prefix: configuration.userAgentPrefix))
    var http2 = HTTP2Configuration()
    http2.maxHeaderListSize = configuration.maxHeaderListSize
    http2.tracesFrames = configuration.trace != nil
    self.http2 = http2
    connectTimeout = configuration.connectTimeout
    allowsRetries = configuration.allowsRetries
    trace = Tracer(sink: configuration.trace)
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
