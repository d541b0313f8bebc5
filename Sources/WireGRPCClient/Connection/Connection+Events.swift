import WireGRPC
import WireHTTP2

// Passes events of the session to the state machines.

extension Connection {
  func processEvents() {
    let now = ContinuousClock.now
    while stream != nil, let event = session.nextEvent() {
      process(event, now: now)
    }
    // Trailers came before our side of these streams had ended: the peer needs no more of them.
    for id in streams.takeOpenAnswered() { session.reset(id, errorCode: .noError) }
    while stream != nil, let event = session.nextEvent() { process(event, now: now) }
    reportNotices()
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
      streams.headersReceived(id)
      if context.trace.isOn {
        let shown = Tracer.headers(fields)
        trace(id, endStream ? .trailers(shown) : .responseHeaders(shown))
      }
      let head = headMemo(fields)
      withCall(id) { $0.receiveHeaders(head, endStream: endStream, now: now) }
    case .data(let id, let bytes, let endStream):
      receive(id, bytes, endStream: endStream)
    case .bodyDrained(let id):
      if let call = streams[id], call.isAt(self, id) { sendMore(of: call, id) }
    case .trailers(let id, let fields):
      trace(id, .trailers(Tracer.headers(fields)))
      let status = statusMemo(fields)
      withCall(id) { $0.receiveTrailers(status, now: now) }
    case .streamClosed(let id, let closure):
      if case .unprocessed = closure, id > session.lastOpenedStream,
        let call = streams[id], call.isAt(self, id), call.requeue()
      {
        pendingEvents.unprocessed.append(call)
      } else {
        withCall(id) { $0.streamClosed(closure, now: now) }
      }
      streams.close(id, isTraced: context.trace.isOn)
      perform(machine.callEnded(now: now))
      watchIdleness()
    case .goAway(let lastStreamID, let errorCode, let debugData):
      context.trace(
        .goAway(
          lastStreamID: Int(lastStreamID), errorCode: Int(errorCode.rawValue),
          debugData: String(decoding: debugData, as: UTF8.self)))
      goAwayReason = Self.goAwayReason(errorCode, debugData)
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

  private static func goAwayReason(_ code: HTTP2ErrorCode, _ debugData: [UInt8]) -> String {
    guard !debugData.isEmpty else { return "GOAWAY \(code)" }
    return "GOAWAY \(code) \"\(String(decoding: debugData, as: UTF8.self).shortened(to: 200))\""
  }

  private func receive(_ id: StreamID, _ bytes: ArraySlice<UInt8>, endStream: Bool) {
    guard let call = streams[id], call.isAt(self, id) else {
      session.consume(id, bytes.count)
      return
    }
    // Moved out while it is filled, because a long access is checked for exclusivity.
    var batch: [MessageDeframer.Message] = []
    swap(&batch, &messageBuffer)
    let action = call.withMachine { $0.receiveData(bytes, endStream: endStream, into: &batch) }
    if !batch.isEmpty {
      call.receive(batch)
      trace(batch, of: call)
      batch.removeAll(keepingCapacity: true)
    }
    swap(&batch, &messageBuffer)
    let credit = call.credit(received: bytes.count)
    if credit == bytes.count {
      session.consume(id, credit)
    } else {
      // A slow reader holds up its own stream only.
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
    guard let call = streams[id], call.isAt(self, id) else { return }
    perform(call.withMachine(receive), on: call, id)
  }

  private func trace(_ id: StreamID, _ step: @autoclosure () -> TraceEvent.Step) {
    guard context.trace.isOn, let call = streams[id] else { return }
    context.trace(call: call.request, step())
  }

  private func trace(_ frame: HTTP2Frame, _ direction: TraceEvent.Direction) {
    context.trace(
      call: streams.request(frame.streamID), .frame(direction, frame.description))
  }

  private func fail(_ error: HTTP2Error) {
    guard machine.phase < .ready else {
      let isViolation = error.kind == .protocolViolation
      let problem = isViolation ? "the server violated HTTP/2" : "the connection failed"
      finish(
        calls: .transport(
          .unavailable, "\(problem): \(error)", cause: isViolation ? .connectionViolation : nil),
        nil)
      return
    }
    let failure = ConnectionFailure(settling: error, at: context.peer(address))
    finish(calls: CallError(failure), failure)
  }
}
