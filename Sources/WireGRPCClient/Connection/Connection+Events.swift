import WireGRPC
import WireHTTP2
import WireIO
import WireTLS
import WireTransport

// What the peer says, on its way from the bytes to the machines.

extension Connection {
  func processEvents() {
    let now = ContinuousClock.now
    while stream != nil, let event = session.nextEvent() {
      process(event, now: now)
    }
    if !answered.isEmpty {
      // Trailers came before our side of the stream had ended: the peer needs no more of it.
      for id in answered where calls[id] != nil {
        session.reset(id, errorCode: .noError)
      }
      answered.removeAll(keepingCapacity: true)
      while stream != nil, let event = session.nextEvent() { process(event, now: now) }
    }
    tellDispatcher()
  }

  private func process(_ event: consuming HTTP2Event, now: ContinuousClock.Instant) {
    switch consume event {
    case .settings(let settings):
      perform(
        machine.settingsReceived(
          maxConcurrentStreams: Int(settings.maxConcurrentStreams), now: now))
    case .informational(let id, let fields):
      trace(id, .informational(Tracer.headers(fields)))
    case .headers(let id, let fields, let endStream):
      lastAnswered = id
      if context.trace.isOn {
        let shown = Tracer.headers(fields)
        trace(id, endStream ? .trailers(shown) : .responseHeaders(shown))
      }
      let head = heads(fields)
      withCall(id) { $0.receiveHeaders(head, endStream: endStream, now: now) }
    case .data(let id, let bytes, let endStream):
      receive(id, bytes, endStream: endStream)
    case .bodyDrained(let id):
      if let call = calls[id], call.isAt(self, id) { sendMore(of: call, id) }
    case .trailers(let id, let fields):
      trace(id, .trailers(Tracer.headers(fields)))
      let status = statuses(fields)
      withCall(id) { $0.receiveTrailers(status, now: now) }
    case .streamClosed(let id, let closure):
      if case .unprocessed = closure, id > session.lastOpenedStream,
        let call = calls[id],
        call.isAt(self, id), call.takeBack()
      {
        displaced.append(call)
      } else {
        withCall(id) { $0.streamClosed(closure, now: now) }
      }
      if context.trace.isOn { noteClosed(id) }
      calls[id] = nil
      perform(machine.callEnded(now: now))
      watchIdleness()
    case .goAway(let lastStreamID, let errorCode, let debugData):
      context.trace(
        .goAway(
          lastStreamID: Int(lastStreamID), errorCode: Int(errorCode.rawValue),
          debugData: String(decoding: debugData, as: UTF8.self)))
      farewell = Self.farewell(errorCode, debugData)
      if errorCode == .enhanceYourCalm, debugData.elementsEqual("too_many_pings".utf8) {
        handler(self, .pingedTooOften)
      }
      perform(machine.leave())
    case .failed(let error):
      fail(error)
    case .frameReceived(let frame):
      trace(frame, .received)
    case .frameSent(let frame):
      trace(frame, .sent)
    case .pingAcknowledged:
      break
    }
  }

  private static func farewell(_ code: HTTP2ErrorCode, _ debugData: [UInt8]) -> String {
    guard !debugData.isEmpty else { return "GOAWAY \(code)" }
    return "GOAWAY \(code) \"\(String(decoding: debugData, as: UTF8.self).shortened(to: 200))\""
  }

  private func receive(_ id: StreamID, _ bytes: ArraySlice<UInt8>, endStream: Bool) {
    guard let call = calls[id], call.isAt(self, id) else {
      session.consume(id, bytes.count)
      return
    }
    // Taken out while it is filled: so no access to a property is held, which would be checked.
    var batch: [MessageDeframer.Message] = []
    swap(&batch, &messages)
    let action = call.withMachine { $0.receiveData(bytes, endStream: endStream, into: &batch) }
    if !batch.isEmpty {
      call.receive(batch)
      trace(batch, of: call)
      batch.removeAll(keepingCapacity: true)
    }
    swap(&batch, &messages)
    let credit = call.credit(received: bytes.count)
    if credit == bytes.count {
      session.consume(id, credit)
    } else {
      // A reader that is slow holds up its own stream, and no other.
      session.consumeConnection(bytes.count)
      session.consumeStream(id, credit)
    }
    perform(action, on: call, id)
  }

  private func trace(_ messages: [MessageDeframer.Message], of call: Call) {
    guard context.trace.isOn else { return }
    for message in messages {
      let size = message.isCompressed ? nil : message.bytes.count
      context.trace(
        call: call.request,
        .responseMessage(bytes: message.bytes.count, decompressed: size))
    }
  }

  private func withCall(
    _ id: StreamID, _ receive: (inout CallStateMachine) -> CallStateMachine.Action
  ) {
    guard let call = calls[id], call.isAt(self, id) else { return }
    perform(call.withMachine(receive), on: call, id)
  }

  private func trace(_ id: StreamID, _ step: @autoclosure () -> TraceEvent.Step) {
    guard context.trace.isOn, let call = calls[id] else { return }
    context.trace(call: call.request, step())
  }

  private func trace(_ frame: HTTP2Frame, _ direction: TraceEvent.Direction) {
    let id = frame.streamID
    let request =
      calls[id]?.request ?? closedCalls.last { $0.stream == id }?.request
    context.trace(call: request, .frame(direction, frame.description))
  }

  /// A stream that is reset closes before its RST_STREAM is sent, and frames of the peer may follow.
  private func noteClosed(_ id: StreamID) {
    guard let call = calls[id] else { return }
    closedCalls.append((id, call.request))
    if closedCalls.count > 16 { closedCalls.removeFirst() }
  }

  private func fail(_ error: HTTP2Error) {
    guard machine.phase < .ready else {
      let reason = CallError.transport(.unavailable, "the connection failed: \(error)")
      finish(calls: reason, nil)
      return
    }
    let failure = ConnectionFailure(settling: error, at: context.peer(address))
    finish(calls: CallError(failure), failure)
  }
}

// MARK: ByteStreamUser

extension Connection: ByteStreamUser {
  func streamReached(_ milestone: StreamMilestone) {
    switch milestone {
    case .connected:
      context.trace(.connected(address: address.description))
      perform(machine.transportConnected(usesProxy: context.proxy != nil, usesTLS: usesTLS))
      handler(self, .connected)
    case .proxySecured(let session):
      context.trace(.tls(session))
    case .tunnelled:
      context.trace(.tunnelled(target: context.connectRequest?.target ?? ""))
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
    // The socket may take more by itself, when nobody is there to see what that leads to.
    if session.hasEvents { scheduleFlush() }
  }

  func streamEnded(_ end: StreamEnd) {
    tellVerdict()
    guard stream != nil else { return }
    guard machine.phase < .ready else {
      var error = CallError.transport(.unavailable, "the connection was lost: \(end.description)")
      // In TLS 1.3 a server may look at the client's certificate after it has begun to speak.
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

  /// nghttp2 has its say on what came last when it makes its GOAWAY, which nobody will read now. Calls
  /// that wait to be put out by it are not put out any more: they can go elsewhere.
  private func tellVerdict() {
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
    case .clientCertificateWanted, .clientCertificateRefused: true
    default: false
    }
  }
}
