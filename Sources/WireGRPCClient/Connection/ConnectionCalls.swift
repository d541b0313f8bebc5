import WireGRPC
import WireHTTP2
import WireIO

/// The calls on one connection, each on a stream of its HTTP/2 session.
///
/// Passes requests to the session, and the events of each stream to its call's ``CallStateMachine``, and
/// carries out the actions.
final class ConnectionCalls {
  let address: SocketAddress
  /// The address as text, cached because observers get it with every call.
  private(set) lazy var peer = address.description
  /// The peer's last GOAWAY, `GOAWAY NO_ERROR "max_age"`.
  private(set) var goAway: String?
  private let context: ConnectionContext
  private let session: HTTP2ClientSession
  /// Nil after the end of the connection, which releases it.
  var connection: Connection?
  private var streams = StreamTable<Call>()
  /// Streams whose calls ended with trailers in the present batch of events.
  private var answered: [StreamID] = []
  /// The requests of the streams that closed last, for the trace of their last frames.
  private var closed: [(stream: StreamID, request: CallRequest)] = []
  /// The stream whose response started last; 0 before the first response.
  private var lastAnswered: StreamID = 0
  private var refusedStreams = RefusedStreams()
  /// Calls that the peer did not process in the present batch of events.
  private var unprocessed: [Call] = []
  // Storage and values that the next call reuses.
  private var messageBuffer: [MessageDeframer.Message] = []
  private var requestHeaders = RequestHeaders.Buffer()
  private var headMemo = HeaderMemo(ResponseHead.init)
  private var statusMemo = HeaderMemo(ResponseStatus.init)

  init(on session: HTTP2ClientSession, to address: SocketAddress, _ context: ConnectionContext) {
    self.session = session
    self.address = address
    self.context = context
  }

  var hasAnswered: Bool { lastAnswered > 0 }

  /// Takes the calls that the peer did not process, oldest first.
  func takeUnprocessed() -> [Call] {
    guard !unprocessed.isEmpty else { return [] }
    defer { unprocessed = [] }
    // nghttp2 closes the streams beyond a GOAWAY in no order.
    return unprocessed.sorted { $0.request.id < $1.request.id }
  }

  // MARK: Requests

  /// Sends a call. Returns false if it failed at once.
  func start(_ call: Call, now: ContinuousClock.Instant) -> Bool {
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
      return false
    }
    streams[id] = call
    call.place = (self, id)
    call.wasSent(to: address)
    if let trace = context.trace {
      trace.report(.requestHeaders(Tracer.headers(headers.list.fields)), of: request)
      traceMessages(of: call, in: body)
    }
    return true
  }

  /// Handles activity of a streaming call's caller: sends its new messages, and lets the peer send as
  /// many bytes as the caller has read.
  func serve(_ call: Call) {
    guard let id = call.place?.stream else { return }
    session.consumeStream(id, call.credit(received: 0))
    sendMore(of: call, id)
    connection?.scheduleFlush()
  }

  /// Sends the caller's new messages, unless too many bytes wait; the session then reports room.
  private func sendMore(of call: Call, _ id: StreamID) {
    guard session.unsentBytes(id) < context.http2.bodyLowWater, let more = call.takeMore() else {
      return
    }
    session.sendData(id, more.bytes, endStream: more.isLast)
    if context.trace != nil { traceMessages(of: call, in: more.bytes) }
    connection?.scheduleFlush()
  }

  private func traceMessages(of call: Call, in frames: [UInt8]) {
    for message in MessageFramer.messages(in: frames) {
      context.trace?.report(.requestMessage(bytes: message.bytes.count), of: call.request)
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
    connection?.processEvents()
    connection?.scheduleFlush()
  }

  // MARK: Events

  func process(_ event: consuming HTTP2Event, now: ContinuousClock.Instant) {
    switch consume event {
    case .settings(let settings):
      connection?.settingsReceived(settings, now: now)
    case .informational(let id, let fields):
      trace(id, .informational(Tracer.headers(fields)))
    case .headers(let id, let fields, let endStream):
      lastAnswered = id
      if context.trace != nil {
        let shown = Tracer.headers(fields)
        trace(id, endStream ? .trailers(shown) : .responseHeaders(shown))
      }
      let head = headMemo(fields)
      withCall(id) { $0.receiveHeaders(head, endStream: endStream, now: now) }
    case .data(let id, let bytes, let endStream):
      receive(id, bytes, endStream: endStream)
    case .bodyDrained(let id):
      if let call = call(on: id) { sendMore(of: call, id) }
    case .trailers(let id, let fields):
      trace(id, .trailers(Tracer.headers(fields)))
      let status = statusMemo(fields)
      withCall(id) { $0.receiveTrailers(status, now: now) }
    case .streamClosed(let id, let closure):
      if case .unprocessed = closure, id > session.lastOpenedStream, let call = call(on: id),
        call.requeue()
      {
        unprocessed.append(call)
      } else {
        withCall(id) { $0.streamClosed(closure, now: now) }
      }
      close(id)
      connection?.streamClosed(now: now)
    case .goAway(let lastStreamID, let errorCode, let debugData):
      let text = String(decoding: debugData, as: UTF8.self)
      context.trace?.report(
        .goAway(
          lastStreamID: Int(lastStreamID), errorCode: Int(errorCode.rawValue), debugData: text))
      goAway =
        "GOAWAY \(errorCode)" + (text.isEmpty ? "" : " \"\(text.shortened(to: 200))\"")
      connection?.goAwayReceived(errorCode, text)
    case .failed(let error):
      connection?.fail(error)
    case .frameReceived(let frame):
      trace(frame, .received)
    case .frameSent(let frame):
      trace(frame, .sent)
    case .pingAcknowledged:
      break
    }
  }

  private func receive(_ id: StreamID, _ bytes: ArraySlice<UInt8>, endStream: Bool) {
    guard let call = call(on: id) else {
      session.consume(id, bytes.count)
      return
    }
    // Moved out while it is filled, because a long access is checked for exclusivity.
    var batch: [MessageDeframer.Message] = []
    swap(&batch, &messageBuffer)
    let action = call.withMachine {
      $0.receiveData(bytes, endStream: endStream, into: &batch)
    }
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

  /// Resets the streams whose trailers came before our side had ended: the peer needs no more of them.
  func resetAnswered() {
    guard !answered.isEmpty else { return }
    for id in answered where streams[id] != nil { session.reset(id, errorCode: .noError) }
    answered.removeAll(keepingCapacity: true)
  }

  private func close(_ id: StreamID) {
    guard let call = streams.removeValue(forKey: id), context.trace != nil else { return }
    // A stream that is reset closes before its RST_STREAM is sent, and frames of the peer may follow.
    closed.append((id, call.request))
    if closed.count > 16 { closed.removeFirst() }
  }

  private func call(on id: StreamID) -> Call? {
    guard let call = streams[id], call.isAt(self, id) else { return nil }
    return call
  }

  private func withCall(
    _ id: StreamID, _ receive: (inout CallStateMachine) -> CallStateMachine.Action
  ) {
    guard let call = call(on: id) else { return }
    perform(call.withMachine(receive), on: call, id)
  }

  private func trace(_ messages: [MessageDeframer.Message], of call: Call) {
    guard let trace = context.trace else { return }
    for message in messages {
      let size = message.isCompressed ? nil : message.bytes.count
      trace.report(
        .responseMessage(bytes: message.bytes.count, decompressed: size), of: call.request)
    }
  }

  private func trace(_ id: StreamID, _ step: @autoclosure () -> TraceEvent.Step) {
    guard let trace = context.trace, let call = streams[id] else { return }
    trace.report(step(), of: call.request)
  }

  private func trace(_ frame: HTTP2Frame, _ direction: TraceEvent.Direction) {
    let request =
      streams[frame.streamID]?.request
      ?? closed.last { $0.stream == frame.streamID }?.request
    context.trace?.report(.frame(direction, frame.description), of: request)
  }

  // MARK: Actions

  private func perform(_ action: CallStateMachine.Action, on call: Call, _ id: StreamID) {
    switch action {
    case .wait, .ignore:
      break
    case .limit(let time):
      context.loop.schedule(after: time) { [weak self] in
        if let self, call.isAt(self, id) { expire(call) }
      }
    case .begin(let headers):
      call.begin(headers)
    case .succeed(let trailers):
      answered.append(id)
      context.trace?.report(.finished(.ok), of: call.request)
      call.succeed(trailers)
      connection?.report(.callEnded(call))
    case .fail(let error, let reset):
      if let reset {
        session.reset(id, errorCode: reset)
      } else {
        answered.append(id)
      }
      fail(call, error)
    case .retryTransparently(let reason, let isRefused):
      retryTransparently(call, reason, hadNoRoom: isRefused && hadNoRoom(for: id))
    }
  }

  private func retryTransparently(_ call: Call, _ reason: String, hadNoRoom: Bool) {
    let reason = goAway.map { "\(reason) (\($0))" } ?? reason
    var error = CallError.transport(.unavailable, reason)
    error.peer = peer
    if let error = call.retryTransparently(error, hadNoRoom: hadNoRoom) {
      fail(call, error)
    } else {
      context.trace?.report(.transparentRetry(reason: reason), of: call.request)
      unprocessed.append(call)
    }
  }

  /// Returns whether the peer refused a stream for lack of room.
  private func hadNoRoom(for id: StreamID) -> Bool {
    let cause = refusedStreams.refused(
      id, earlier: session.submittedStreams(before: id), limit: session.maxConcurrentStreams,
      lastOpened: session.lastSubmittedStream, lastAnswered: lastAnswered)
    guard case .streamLimit(let pause) = cause else { return false }
    connection?.pause(for: pause)
    return true
  }

  private func fail(_ call: Call, _ error: CallError) {
    var error = error
    error.peer = peer
    connection?.report(.attemptFailed(call, error))
  }

  // MARK: The end of the connection

  func resetAll() -> Bool {
    for id in streams.keys { session.reset(id, errorCode: .cancel) }
    return !streams.isEmpty
  }

  /// Ends all calls with the error, except those that were not sent.
  func connectionLost(_ error: CallError) {
    let calls = streams
    streams = StreamTable()
    for id in calls.keys.sorted() {
      guard let call = calls[id], call.isAt(self, id) else { continue }
      if id > session.lastOpenedStream, call.requeue() {
        if error.connectionFailure == nil {
          unprocessed.append(call)
        } else {
          // Another connection would end in the same way.
          fail(call, error)
        }
      } else {
        perform(call.withMachine { $0.connectionLost(error) }, on: call, id)
      }
    }
  }
}
