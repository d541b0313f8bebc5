import RelayAPI
import WireSystem

/// A request to NATS that has no reply yet.
struct OpenRequest: Sendable {
  let subject: String
  /// The stream or the API that answers.
  let responder: String
  let deadline: ContinuousClock.Instant
  let completion: @Sendable (Result<NATSMessage, NATSError>) -> Void
}

/// The requests of a connection that have no reply yet, and the state of the connection.
///
/// Each responder has its own queue of replies, because libnats reports that a request has no responder, but not
/// which one.
final class OpenRequests: Sendable {
  private struct State {
    var isConnected = true
    var lastID: UInt64 = 0
    var requests: [UInt64: OpenRequest] = [:]
    var queues: [(responder: String, queue: NATSMessageQueue)] = []
    var nextExpiry = ContinuousClock.now
    /// The requests to send later.
    var delayed: [(id: UInt64, message: NATSMessage)] = []
    /// Whether somebody takes the replies.
    var areWatched = false
    var handler: @Sendable (NATSConnection.Event) -> Void = { _ in }
    /// Set if the server refuses the subscription to replies.
    var refusedInbox: NATSError?

    mutating func add(
      _ request: OpenRequest, _ makeQueue: (Int) throws(NATSError) -> NATSMessageQueue
    ) throws(NATSError) -> (id: UInt64, queue: Int, isFirst: Bool) {
      guard isConnected else { throw NATSError(.disconnected, "NATS is not connected") }
      if let refusedInbox { throw refusedInbox }
      var index = queues.firstIndex { $0.responder == request.responder }
      if index == nil {
        queues.append((request.responder, try makeQueue(queues.count)))
        index = queues.count - 1
      }
      lastID += 1
      requests[lastID] = request
      defer { areWatched = true }
      return (lastID, index ?? 0, !areWatched)
    }
  }

  private let inbox: String
  private let state = Locked(State())

  /// - Parameter inbox: the beginning of the subjects of replies.
  init(inbox: String) {
    self.inbox = inbox
  }

  var isConnected: Bool { state.withLock { $0.isConnected } }

  func onEvent(_ handler: @escaping @Sendable (NATSConnection.Event) -> Void) {
    state.withLock { $0.handler = handler }
  }

  // MARK: Requests

  /// Adds a request.
  ///
  /// - Parameter makeQueue: returns the queue with a number, for a new responder.
  /// - Returns: the ID of the request, the number of the queue for its reply, and whether the caller has to start
  ///   taking replies.
  func add(
    _ request: OpenRequest, makeQueue: (Int) throws(NATSError) -> NATSMessageQueue
  ) throws(NATSError) -> (id: UInt64, queue: Int, isFirst: Bool) {
    try state.withLock { state in
      Result { () throws(NATSError) in try state.add(request, makeQueue) }
    }.get()
  }

  /// Whether a request has no reply yet.
  func contains(_ id: UInt64) -> Bool { state.withLock { $0.requests[id] != nil } }

  func remove(_ id: UInt64) -> OpenRequest? {
    state.withLock { $0.requests.removeValue(forKey: id) }
  }

  /// Passes the replies that have arrived to their requests, and ends the requests that got none in time.
  ///
  /// - Returns: whether there were replies.
  func takeReplies(now: ContinuousClock.Instant) -> Bool {
    var wereTaken = false
    for (responder, queue) in state.withLock({ $0.queues }) {
      while let reply = queue.next() {
        wereTaken = true
        for request in taken(reply, from: responder) { request.completion(.success(reply)) }
      }
    }
    for request in expired(now) {
      request.completion(.failure(NATSError(.timeout, "NATS did not answer in time")))
    }
    return wereTaken
  }

  /// The requests that a reply ends.
  private func taken(_ reply: NATSMessage, from responder: String) -> [OpenRequest] {
    if reply.status == 503 { return removeAll { $0.responder == responder } }
    let id = reply.subject.split(separator: ".").last.flatMap { UInt64($0) }
    return id.flatMap { remove($0) }.map { [$0] } ?? []
  }

  private func expired(_ now: ContinuousClock.Instant) -> [OpenRequest] {
    let isDue = state.withLock { state in
      guard state.nextExpiry <= now else { return false }
      state.nextExpiry = now + .milliseconds(250)
      return true
    }
    return isDue ? removeAll { $0.deadline <= now } : []
  }

  private func removeAll(where shouldEnd: (OpenRequest) -> Bool) -> [OpenRequest] {
    state.withLock { state in
      let ended = state.requests.filter { shouldEnd($0.value) }
      for id in ended.keys { state.requests[id] = nil }
      return Array(ended.values)
    }
  }

  /// Whether to go on taking replies. If not, the caller of `add` starts again.
  func stayWatched() -> Bool {
    state.withLock { state in
      state.areWatched = !state.requests.isEmpty
      return state.areWatched
    }
  }

  func delay(_ message: NATSMessage, _ id: UInt64) {
    state.withLock { $0.delayed.append((id, message)) }
  }

  func takeDelayed() -> [(id: UInt64, message: NATSMessage)] {
    state.withLock { state in
      defer { state.delayed = [] }
      return state.delayed
    }
  }

  func removeQueues() {
    state.withLock { $0.queues = [] }
  }

  // MARK: Connection

  /// Takes an event of the connection, and ends the requests that can get no reply.
  func take(_ event: NATSConnection.Event) {
    var error = NATSError(.disconnected, "the connection to NATS was lost")
    var failed: [OpenRequest] = []
    switch event {
    case .disconnected: failed = disconnect()
    case .reconnected:
      state.withLock { state in
        state.isConnected = true
        state.refusedInbox = nil
      }
    case .closed(let reason):
      error = reason
      failed = disconnect()
    case .error(let refusal):
      error = refusal
      guard refusal.kind == .notPermitted else { break }
      if refusal.subject?.hasPrefix(inbox + ".") == true {
        error = NATSError(.notPermitted, refusal.message, hint: RelayHint.refusedInbox)
        failed = refuseInbox(error)
      } else {
        failed = removeAll { $0.subject == refusal.subject }
      }
    }
    for request in failed { request.completion(.failure(error)) }
    var event = event
    if case .error = event { event = .error(error) }
    state.withLock { $0.handler }(event)
  }

  /// No request gets a reply.
  private func refuseInbox(_ error: NATSError) -> [OpenRequest] {
    state.withLock { $0.refusedInbox = error }
    return removeAll { _ in true }
  }

  private func disconnect() -> [OpenRequest] {
    state.withLock { state in
      state.isConnected = false
      state.delayed = []
    }
    return removeAll { _ in true }
  }
}
