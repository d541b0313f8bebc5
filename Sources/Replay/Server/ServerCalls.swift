import WireGRPC
import WireHTTP2

/// The calls of one connection: takes the events of its session and answers through it. No I/O.
struct ServerCalls {
  let session: HTTP2ServerSession
  let service: ReplayService
  /// The client's address, for those who observe the server.
  private let peer: String
  var calls: [StreamID: ServerCall] = [:]
  /// Streams answered before the client ended them; see ``letGo(now:)``.
  var early: [StreamID] = []
  /// What waits until all said before it is sent, and after which stream's answer it comes; see
  /// ``letGo(now:)``.
  var signals: [(stream: StreamID, signal: Answer.Step.Signal)] = []
  var epilogues = Epilogues()
  /// Frames that a script has as they are; see ``takeFrames(into:)``.
  var frames: [UInt8] = []
  /// Whether a script wants the connection closed.
  var hangsUp = false

  /// What the last request said, and what answers it: most have the same headers as the one before.
  private var last: Opening?

  private final class Opening {
    let fields: [HeaderField]
    let head: RequestHead
    let kind: ServerCall.Kind

    init(_ fields: [HeaderField], _ service: ReplayService) throws(Refusal) {
      self.fields = fields
      head = try RequestHead(fields)
      kind = try service.kind(of: head)
    }
  }

  /// A body of which so much waits for the client gets no more of its answer.
  static let bodyLowWater = 32 << 10

  init(_ session: HTTP2ServerSession, _ service: ReplayService, peer: String = "") {
    self.session = session
    self.service = service
    self.peer = peer
  }

  /// How the sessions of its connections are to be.
  static func configuration(_ limits: ServerLimits) -> HTTP2Configuration {
    var configuration = HTTP2Configuration()
    configuration.maxConcurrentStreams = limits.streams
    configuration.bodyLowWater = bodyLowWater
    configuration.maxSendHeaderBlockLength = Answer.headerListLimit
    return configuration
  }

  /// Takes an event; those that are not of a call mean nothing here.
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

  /// When ``advance(now:)`` has something to do; nil when only events lead on.
  var due: ContinuousClock.Instant? {
    let next = calls.values.lazy.compactMap(\.due).min()
    guard let rest = epilogues.due else { return next }
    return next.map { min($0, rest) } ?? rest
  }

  /// Says what is due, and gives up on calls that take too long.
  mutating func advance(now: ContinuousClock.Instant) {
    for (number, call) in calls {
      let stream = number
      if let deadline = call.deadline, deadline <= now {
        expire(call, on: stream)
      } else if call.waitsForClient, call.patience <= now {
        refuse(stream, Refusal(.deadlineExceeded, "the request was not completed in time"))
      } else {
        play(call, on: stream, now)
      }
    }
    while let next = epilogues.next(now: now) { signals.append(next) }
  }

  /// Whether the client is to blame that nothing goes on: it does not say what it wants, or does not
  /// take what it is told.
  var areHeldUp: Bool {
    calls.contains { number, call in
      !call.isOver && call.isUndecided || session.unsentBytes(number) > 0
    }
  }

  /// The server is done with all of them.
  mutating func abandon() {
    for (number, call) in calls {
      if hangsUp { call.story?.refuse(Refusal(.unavailable, "the script closed the connection")) }
      remove(number)
    }
  }

  /// The server stops: those who watch its health are told, and sent away.
  mutating func shutDown() {
    for (number, call) in calls where call.playback != nil && !call.isOver {
      guard case .healthWatch = call.kind else { continue }
      for content in HealthService.end { say(content, of: call, on: number) }
    }
  }

  // MARK: Requests

  private mutating func begin(
    _ stream: StreamID, _ fields: [HeaderField], _ now: ContinuousClock.Instant
  ) {
    let story = service.story(of: fields, from: peer)
    do throws(Refusal) {
      let opening = try read(fields)
      let call = ServerCall(opening.kind, opening.head, service.limits, story, now: now)
      calls[stream] = call
      if call.deadline == now { return expire(call, on: stream) }
      if call.cue == 0 { try decide(call, on: stream, now) }
    } catch {
      story?.refuse(error)
      refuse(stream, error)
    }
  }

  private mutating func read(_ fields: [HeaderField]) throws(Refusal) -> Opening {
    if let last, last.fields == fields { return last }
    let opening = try Opening(fields, service)
    // What reflection has told is told each stream anew.
    if case .recorded = opening.kind { last = opening }
    return opening
  }

  private mutating func receive(
    _ stream: StreamID, _ bytes: ArraySlice<UInt8>, _ now: ContinuousClock.Instant
  ) {
    guard let call = calls[stream], !call.isOver else { return }
    do throws(Refusal) {
      // What is over the limit already is not decompressed.
      try checkRoom()
      try take(bytes, of: call)
      if call.isUndecided, call.request.messages.count >= call.cue {
        try decide(call, on: stream, now)
      }
      try goOn(call, on: stream, now)
      try checkRoom()
    } catch {
      refuse(stream, error)
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>, of call: ServerCall) throws(Refusal) {
    let before = (size: call.request.inflatedSize, count: call.request.messages.count)
    defer {
      service.inflatedBytes += call.request.inflatedSize - before.size
      if let story = call.story { story.hear(call.request.messages[before.count...]) }
    }
    try call.request.receive(bytes)
  }

  private func checkRoom() throws(Refusal) {
    guard service.heldBytes <= service.limits.heldBytes else {
      throw Refusal(.resourceExhausted, "the server has too many incomplete requests")
    }
  }

  private mutating func finish(_ stream: StreamID, _ now: ContinuousClock.Instant) {
    guard let call = calls[stream], !call.isOver else { return }
    call.story?.hearEnd()
    do throws(Refusal) {
      try call.request.finish()
      call.requestIsWhole = true
      if call.isUndecided { try decide(call, on: stream, now) }
      try goOn(call, on: stream, now)
    } catch {
      refuse(stream, error)
    }
  }

  /// Chooses an answer.
  private mutating func decide(
    _ call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) throws(Refusal) {
    let messages = call.request.messages
    let requests = messages.count > call.cue ? Array(messages.prefix(call.cue)) : messages
    call.playback = try service.playback(call, requests, now: now)
    play(call, on: stream, now)
  }

  /// Goes on with an answer after more of the request has come.
  private mutating func goOn(
    _ call: ServerCall, on stream: StreamID, _ now: ContinuousClock.Instant
  ) throws(Refusal) {
    defer { account(for: call) }
    if case .reflection = call.kind {
      call.patience = now + service.limits.conversationTime
      return try answerQuestions(of: call, on: stream)
    }
    guard call.playback != nil else { return }
    defer { wait(for: call, now) }
    try call.playback?.hear(call.request.take(), now: now)
    if call.requestIsWhole { try call.playback?.hearEnd(now: now) }
    play(call, on: stream, now)
  }

  /// The client has time anew.
  func wait(for call: ServerCall, _ now: ContinuousClock.Instant) {
    if !call.isOver { call.patience = now + service.limits.conversationTime }
  }

  func account(for call: ServerCall) {
    service.heldBytes += call.request.size - call.heldBytes
    call.heldBytes = call.request.size
  }

  mutating func remove(_ stream: StreamID) {
    guard let call = calls.removeValue(forKey: stream) else { return }
    call.story?.giveUp()
    service.heldBytes -= call.heldBytes
  }
}
