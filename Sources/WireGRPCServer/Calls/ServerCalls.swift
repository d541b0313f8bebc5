import WireGRPC
import WireHTTP2

/// The calls of one connection: takes the events of its session and answers through it. No I/O.
struct ServerCalls {
  private let session: HTTP2ServerSession
  private let context: ServerContext
  /// The client's address, for observers.
  private let peer: String
  private var calls: [StreamID: ServerCall] = [:]
  /// Streams answered before the client ended them; see ``performControlActions(now:)``.
  private var answeredEarly: [StreamID] = []
  /// Control actions that wait until everything before them is sent, with their streams.
  private var controlActions: [(stream: StreamID, action: ControlAction)] = []
  private var trailingFrames = TrailingFrames()
  /// Raw frames to be sent; see ``takeFrames(into:)``.
  private var frames: [UInt8] = []
  /// Whether a responder has closed the connection.
  private(set) var closesConnection = false

  /// The last request's headers and route: most requests have the same headers as the one before.
  private var lastRoute: RoutedHead?

  private final class RoutedHead {
    let fields: [HeaderField]
    let head: RequestHead
    let route: CallRoute

    init(_ fields: [HeaderField], _ context: ServerContext) throws(Refusal) {
      self.fields = fields
      head = try RequestHead(fields)
      route = try context.handler.route(head)
    }
  }

  /// With this many bytes waiting for the client, no more of a response is produced.
  private static let bodyLowWater = 32 << 10

  init(_ session: HTTP2ServerSession, _ context: ServerContext, peer: String = "") {
    self.session = session
    self.context = context
    self.peer = peer
  }

  /// The configuration of a connection's session.
  static func configuration(_ limits: ServerLimits) -> HTTP2Configuration {
    var configuration = HTTP2Configuration()
    configuration.maxConcurrentStreams = limits.streams
    configuration.bodyLowWater = bodyLowWater
    configuration.maxSendHeaderBlockLength = ResponseHeaders.sizeLimit
    return configuration
  }

  /// Handles an event; those that do not belong to a call are ignored.
  mutating func handle(_ event: HTTP2Event, now: ContinuousClock.Instant) {
    switch event {
    case .headers(let stream, let fields, let endStream):
      begin(stream, fields, now)
      if endStream { finish(stream, now) }
    case .data(let stream, let bytes, let endStream):
      receive(stream, bytes, now)
      session.consume(stream, bytes.count)
      if endStream { finish(stream, now) }
    case .trailers(let stream, _):
      finish(stream, now)
    case .bodyDrained(let stream):
      drained(stream, now)
    case .streamClosed(let stream, _):
      remove(stream)
    default:
      break
    }
  }

  /// When ``advance(now:)`` has something to do; nil when it waits for events.
  var due: ContinuousClock.Instant? {
    let next = calls.values.lazy.compactMap(\.due).min()
    guard let trailing = trailingFrames.due else { return next }
    return next.map { min($0, trailing) } ?? trailing
  }

  /// Sends the due actions and ends calls that take too long.
  mutating func advance(now: ContinuousClock.Instant) {
    for (stream, call) in calls {
      if let deadline = call.deadline, deadline <= now {
        expire(call, on: stream)
      } else if call.waitsForClient, call.requestDeadline <= now {
        refuse(stream, Refusal(.deadlineExceeded, "the request was not completed in time"))
      } else {
        respond(to: call, on: stream, now)
      }
    }
    while let next = trailingFrames.next(now: now) { controlActions.append(next) }
  }

  /// Whether the client holds up a call: it does not send its request, or does not read.
  var areHeldUp: Bool {
    calls.contains { stream, call in
      !call.isOver && call.responder.needsRequest || session.unsentBytes(stream) > 0
    }
  }

  /// The connection has ended.
  mutating func abandon() {
    for (stream, call) in calls {
      if closesConnection {
        call.observer?.refuse(Refusal(.unavailable, "the server closed the connection"))
      }
      remove(stream)
    }
  }

  /// The server stops: ends the calls whose responders provide an end.
  mutating func shutDown() {
    for (stream, call) in calls where !call.isOver {
      for action in call.responder.finalActions() { send(action, of: call, on: stream) }
    }
  }

  // MARK: Requests

  private mutating func begin(
    _ stream: StreamID, _ fields: [HeaderField], _ now: ContinuousClock.Instant
  ) {
    let observer = context.observer(of: fields, from: peer)
    do throws(Refusal) {
      let routed = try route(fields)
      let call = ServerCall(routed.route, routed.head, context.limits, observer, now: now)
      calls[stream] = call
      if call.deadline == now { return expire(call, on: stream) }
      try chooseResponse(to: call, on: stream, now)
    } catch {
      observer?.refuse(error)
      refuse(stream, error)
    }
  }

  private mutating func route(_ fields: [HeaderField]) throws(Refusal) -> RoutedHead {
    if let lastRoute, lastRoute.fields == fields { return lastRoute }
    let routed = try RoutedHead(fields, context)
    lastRoute = routed
    return routed
  }

  private mutating func receive(
    _ stream: StreamID, _ bytes: ArraySlice<UInt8>, _ now: ContinuousClock.Instant
  ) {
    guard let call = calls[stream], !call.isOver else { return }
    do throws(Refusal) {
      // Nothing is decompressed while too much is held already.
      try checkHeldBytes()
      try append(bytes, to: call)
      try proceed(call, on: stream, now)
      try checkHeldBytes()
    } catch {
      refuse(stream, error)
    }
  }

  private func append(_ bytes: ArraySlice<UInt8>, to call: ServerCall) throws(Refusal) {
    let before = (size: call.request.decompressedSize, count: call.request.messages.count)
    defer {
      context.decompressedBytes += call.request.decompressedSize - before.size
      if let observer = call.observer { observer.receive(call.request.messages[before.count...]) }
    }
    try call.request.receive(bytes)
  }

  private func checkHeldBytes() throws(Refusal) {
    guard context.heldBytes <= context.limits.heldBytes else {
      throw Refusal(.resourceExhausted, "the server has too many incomplete requests")
    }
  }

  private mutating func finish(_ stream: StreamID, _ now: ContinuousClock.Instant) {
    guard let call = calls[stream], !call.isOver else { return }
    call.observer?.receiveEnd()
    do throws(Refusal) {
      try call.request.finish()
      try proceed(call, on: stream, now)
    } catch {
      refuse(stream, error)
    }
  }

  /// Continues a call after more of its request has arrived.
  private mutating func proceed(
    _ call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) throws(Refusal) {
    defer { account(for: call) }
    try chooseResponse(to: call, on: stream, now)
    guard !call.responder.needsRequest else { return }
    defer { extendRequestDeadline(of: call, now) }
    try call.responder.receive(&call.request, now: now)
    try respondOrThrow(to: call, on: stream, now)
  }

  private mutating func chooseResponse(
    to call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) throws(Refusal) {
    guard call.responder.needsRequest else { return }
    try call.responder.chooseResponse(
      to: call.request.messages, isComplete: call.request.isComplete, observer: call.observer,
      now: now)
    guard !call.responder.needsRequest else { return }
    try respondOrThrow(to: call, on: stream, now)
  }

  private func extendRequestDeadline(of call: ServerCall, _ now: ContinuousClock.Instant) {
    if !call.isOver { call.requestDeadline = now + context.limits.conversationTime }
  }

  private func account(for call: ServerCall) {
    context.heldBytes += call.request.size - call.heldBytes
    call.heldBytes = call.request.size
  }

  private mutating func remove(_ stream: StreamID) {
    guard let call = calls.removeValue(forKey: stream) else { return }
    call.observer?.cancel()
    context.heldBytes -= call.heldBytes
  }

  // MARK: Responses

  /// The client has read most of the bytes that were sent on a stream.
  private mutating func drained(_ stream: StreamID, _ now: ContinuousClock.Instant) {
    guard let call = calls[stream], !call.isOver else { return }
    respond(to: call, on: stream, now)
    account(for: call)
  }

  /// Sends the due actions as far as the client reads them.
  private mutating func respond(
    to call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) {
    do throws(Refusal) {
      try respondOrThrow(to: call, on: stream, now)
    } catch {
      refuse(stream, error)
    }
  }

  private mutating func respondOrThrow(
    to call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) throws(Refusal) {
    while !call.isOver, !call.isFlushing {
      call.isBlocked = session.unsentBytes(stream) >= Self.bodyLowWater
      guard !call.isBlocked, let action = try call.responder.next(&call.request, now: now) else {
        return
      }
      send(action, of: call, on: stream)
      extendRequestDeadline(of: call, now)
    }
  }

  private mutating func send(_ action: ResponseAction, of call: ServerCall, on stream: StreamID) {
    call.observer?.send(action)
    switch action {
    case .headers(let fields):
      call.hasHeaders = true
      session.submitResponse(stream, fields, endStream: false)
    case .message(let frame):
      session.sendData(stream, frame, endStream: false)
    case .trailers(let fields):
      session.submitTrailers(stream, fields)
      end(call, on: stream)
    case .trailersOnly(let fields):
      session.submitResponse(stream, fields, endStream: true)
      end(call, on: stream)
    case .data(let bytes, let frames, let endStream):
      session.sendData(stream, bytes, frames: frames, endStream: endStream)
      if endStream { end(call, on: stream) }
    case .control(let action):
      call.isFlushing = true
      controlActions.append((stream, action))
      if case .reset = action { end(call, on: stream) }
    }
  }

  private mutating func end(_ call: ServerCall, on stream: StreamID) {
    call.isOver = true
    if let actions = call.responder.trailingActions { trailingFrames.add(actions, on: stream) }
  }

  private mutating func expire(_ call: ServerCall, on stream: StreamID) {
    call.deadline = nil
    let refusal = Refusal(.deadlineExceeded, "the call took longer than its grpc-timeout")
    if call.isOver || session.unsentBytes(stream) > 0 {
      call.observer?.refuse(refusal)
      session.reset(stream, errorCode: .cancel)
      remove(stream)
    } else {
      refuse(stream, refusal)
    }
  }

  private mutating func refuse(_ stream: StreamID, _ refusal: Refusal) {
    let call = calls[stream]
    call?.observer?.refuse(refusal)
    if let call, call.hasHeaders {
      session.submitTrailers(stream, HeaderList(refusal.trailers))
      call.isOver = true
      return
    }
    remove(stream)
    session.submitResponse(stream, HeaderList(refusal.headers), endStream: true)
    answeredEarly.append(stream)
  }

  // MARK: Control actions

  /// Performs the control actions that are due, or some of them if there are many. Call it when nothing
  /// is left to send.
  ///
  /// Also resets streams that were answered early: the client need not continue their requests (gRPC
  /// PROTOCOL-HTTP2, Errors).
  ///
  /// - Returns: false if there was nothing to do.
  mutating func performControlActions(now: ContinuousClock.Instant) -> Bool {
    if answeredEarly.isEmpty, controlActions.isEmpty { return false }
    let streams = answeredEarly
    answeredEarly = []
    for stream in streams { session.reset(stream, errorCode: .noError) }
    var next: [(StreamID, ControlAction)] = []
    var size = 0
    controlActions.removeAll { stream, action in
      guard size < Self.bodyLowWater, session.unsentBytes(stream) == 0 else { return false }
      next.append((stream, action))
      size += action.size
      return true
    }
    for (stream, action) in next { perform(action, on: stream, now) }
    return !streams.isEmpty || !next.isEmpty
  }

  private mutating func perform(
    _ action: ControlAction, on stream: StreamID, _ now: ContinuousClock.Instant
  ) {
    switch action {
    case .reset(let code): session.reset(stream, errorCode: code)
    case .goAway(let last, let code, let debug):
      session.goAway(errorCode: code, debugData: debug, lastStream: last)
    case .ping: session.ping(Self.pingNumber)
    case .frame(let frame): frames += frame.bytes(on: stream)
    case .close: closesConnection = true
    }
    guard let call = calls[stream] else { return }
    call.isFlushing = false
    respond(to: call, on: stream, now)
  }

  /// Moves raw frames into `output`. They go before everything that the session sends.
  mutating func takeFrames(into output: inout [UInt8]) {
    output += frames
    frames = []
  }

  /// Differs from the numbers of the connection's own PINGs.
  private static let pingNumber: UInt64 = 2
}

extension ControlAction {
  /// The approximate number of bytes to send.
  fileprivate var size: Int {
    if case .frame(let frame) = self { 512 + frame.payload.count } else { 512 }
  }
}
