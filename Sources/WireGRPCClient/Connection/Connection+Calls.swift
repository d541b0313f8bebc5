import WireGRPC
import WireHTTP2

// Passes requests to the session.

extension Connection {
  /// Sends a call. The caller has checked that there is capacity.
  func start(_ call: Call, now: ContinuousClock.Instant) {
    let request = call.request
    // Moved out while it is filled, because a long access is checked for exclusivity.
    var headers = RequestHeaders.Buffer()
    swap(&headers, &requestHeaders)
    defer { swap(&headers, &requestHeaders) }
    context.headers.write(
      path: request.path, timeout: request.deadline.map(now.duration(to:)),
      compression: request.compression, previousAttempts: call.previousAttempts,
      metadata: request.headers, to: &headers)
    let (body, isLast) = call.beginSending(on: self)
    let id: StreamID
    do throws(HTTP2Error) {
      // gRPC ends an empty request with an empty DATA frame, not with its headers.
      let isWhole = isLast && !body.isEmpty
      id = try session.submitRequest(headers.list, body: body, endStream: isWhole)
      if isLast, !isWhole { session.sendData(id, [], endStream: true) }
    } catch {
      let code: StatusCode = error.kind == .headerListTooLarge ? .resourceExhausted : .internal
      fail(call, .local(code, "the request could not be sent: \(error)"))
      return
    }
    streams.open(id, call)
    call.place = (self, id)
    call.wasSent(to: address)
    machine.callStarted()
    if context.trace.isOn {
      context.trace(call: request, .requestHeaders(Tracer.headers(headers.list.fields)))
      traceMessages(of: call, in: body)
    }
    scheduleFlush()
    if keepalive != nil { wakeKeepalive() }
    if session.hasUsedUpStreamIDs { perform(machine.leave()) }
  }

  /// Handles activity of a streaming call's caller: sends its new messages, and lets the peer send as
  /// many bytes as the caller has read.
  func serve(_ call: Call) {
    guard let id = call.place?.stream else { return }
    session.consumeStream(id, call.credit(received: 0))
    sendMore(of: call, id)
    scheduleFlush()
  }

  /// Sends the caller's new messages, unless too many bytes wait in the session; then the session
  /// reports when there is room.
  func sendMore(of call: Call, _ id: StreamID) {
    guard session.unsentBytes(id) < context.http2.bodyLowWater, let more = call.takeMore() else {
      return
    }
    session.sendData(id, more.bytes, endStream: more.isLast)
    if context.trace.isOn { traceMessages(of: call, in: more.bytes) }
    scheduleFlush()
  }

  private func traceMessages(of call: Call, in frames: [UInt8]) {
    for message in MessageFramer.messages(in: frames) {
      context.trace(call: call.request, .requestMessage(bytes: message.bytes.count))
    }
  }

  func cancel(_ call: Call, now: ContinuousClock.Instant) {
    end(call, call.withMachine { $0.cancel(now: now) })
  }

  func expire(_ call: Call) {
    end(call, call.withMachine { $0.expire() })
  }

  private func end(_ call: Call, _ action: CallStateMachine.Action) {
    guard let id = call.place?.stream else { return }
    perform(action, on: call, id)
    processEvents()
    scheduleFlush()
  }

  func fail(_ call: Call, _ error: CallError) {
    handler(self, .attemptFailed(call, context.located(error, at: address)))
  }
}
