import WireGRPC
import WireHTTP2
import WireIO
import WireTLS
import WireTransport

// Bytes and stages of the stream below.

extension Connection: ByteStreamUser {
  func streamReached(_ stage: StreamStage) {
    switch stage {
    case .connected:
      context.trace(.connected(address: address.description))
      perform(machine.transportConnected(usesProxy: context.proxy != nil, usesTLS: usesTLS))
      handler(self, .connected)
    case .proxySecured(let session):
      context.trace(.tls(session))
    case .tunneled:
      context.trace(.tunneled(target: context.connectRequest?.target ?? ""))
      perform(machine.tunnelOpened(usesTLS: usesTLS))
    case .secured(let session):
      context.trace(.tls(session))
      perform(machine.tlsEstablished())
    }
  }

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    hasReceivedBytes = true
    keepalive?.bytesReceived(now: .now)
    unsafe session.receive(bytes)
    processEvents()
  }

  func streamPaused() {
    scheduleFlush()
  }

  func streamFill(_ buffer: inout [UInt8]) {
    guard machine.phase >= .settling else { return }
    session.send(into: &buffer)
    // The socket may ask for more by itself, outside a round that would process the events.
    if session.hasEvents { scheduleFlush() }
  }

  func streamEnded(_ end: StreamEnd) {
    processLastError()
    guard stream != nil else { return }
    guard machine.phase < .ready else {
      var error = CallError.transport(.unavailable, "the connection was lost: \(end.description)")
      // In TLS 1.3 a server may reject the client's certificate after its first HTTP/2 bytes.
      if case .tlsFailed(let cause) = end, cause.isAboutClientCertificate {
        error.connectionFailure = ConnectionFailure(handshaking: cause, at: context.peer(address))
      }
      finish(calls: error, nil)
      return
    }
    let failure = ConnectionFailure(
      ended: end, in: machine.phase, at: context.peer(address), context.proxy, usesTLS: usesTLS,
      hasReceivedBytes: hasReceivedBytes)
    finish(calls: CallError(failure), failure)
  }

  /// Lets nghttp2 report a violation in the last bytes, which it does when it writes its GOAWAY. Not
  /// while requests wait to be written, because they can still move to another connection.
  private func processLastError() {
    guard machine.phase >= .settling, session.lastSubmittedStream == session.lastOpenedStream
    else { return }
    var unread: [UInt8] = []
    session.send(into: &unread)
    processEvents()
  }
}

extension TraceEvent.Step {
  fileprivate static func tls(_ session: TLSSession) -> TraceEvent.Step {
    .tls(
      version: session.version, cipher: session.cipher, alpn: session.applicationProtocol ?? "",
      peer: session.peerCertificate?.subject ?? "", isResumed: session.isResumed)
  }
}

extension TLSError {
  fileprivate var isAboutClientCertificate: Bool {
    switch kind {
    case .clientCertificateRequired, .clientCertificateRefused: true
    default: false
    }
  }
}
