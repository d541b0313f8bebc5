import WireGRPC
import WireHTTP2

/// The calls of one connection: takes the events of its session and answers through it. No I/O.
struct ServerCalls {
  let session: HTTP2ServerSession
  let context: ServerContext
  /// The client's address, for observers.
  private let peer: String
  var calls: [StreamID: ServerCall] = [:]
  /// Streams answered before the client ended them; see ``performControlActions(now:)``.
  var answeredEarly: [StreamID] = []
  /// Control actions that wait until everything before them is sent, with their streams.
  var controlActions: [(stream: StreamID, action: ControlAction)] = []
  var trailingFrames = TrailingFrames()
  /// Raw frames to be sent; see ``takeFrames(into:)``.
  var frames: [UInt8] = []
  /// Whether a responder has closed the connection.
  var closesConnection = false

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
  static let bodyLowWater = 32 << 10

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
        call.observer?.refuse(Refusal(.unavailable, "the script closed the connection"))
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

  func extendRequestDeadline(of call: ServerCall, _ now: ContinuousClock.Instant) {
    if !call.isOver { call.requestDeadline = now + context.limits.conversationTime }
  }

  func account(for call: ServerCall) {
    context.heldBytes += call.request.size - call.heldBytes
    call.heldBytes = call.request.size
  }

  mutating func remove(_ stream: StreamID) {
    guard let call = calls.removeValue(forKey: stream) else { return }
    call.observer?.cancel()
    context.heldBytes -= call.heldBytes
  }
}
