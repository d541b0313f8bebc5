package import WireIO
import WireSystem

/// A connection to NATS with requests and replies.
///
/// Requests fail at once when the connection is lost or the server refuses their subject.
package final class RelayClient: Sendable {
  private struct Waiter {
    let subject: String
    let deadline: ContinuousClock.Instant
    let completion: @Sendable (Result<NATSMessage, NATSError>) -> Void
  }

  private struct State {
    var isConnected = true
    var lastID: UInt64 = 0
    var waiters: [UInt64: Waiter] = [:]
    var handler: @Sendable (NATSConnection.Event) -> Void = { _ in }
    /// Refusals of subjects that came before the handler was set.
    var subscription: NATSSubscription?
  }

  static let timeout = Duration.seconds(5)

  let options: NATSOptions
  let loop: EventLoop
  private let connection: NATSConnection
  private let inbox: String
  private let state: Shared

  /// The state that the library's callbacks use, too.
  private final class Shared: Sendable {
    let locked = Locked(State())

    func take(_ event: NATSConnection.Event) {
      let (handler, failed, error) = locked.withLock { state in
        var failed: [Waiter] = []
        var error = NATSError(.disconnected, "the connection to NATS was lost")
        switch event {
        case .disconnected:
          state.isConnected = false
          failed = Array(state.waiters.values)
          state.waiters = [:]
        case .reconnected: state.isConnected = true
        case .closed(let reason):
          state.isConnected = false
          error = reason
          failed = Array(state.waiters.values)
          state.waiters = [:]
        case .error(let refusal):
          error = refusal
          guard refusal.kind == .notPermitted else { break }
          for (id, waiter) in state.waiters where refusal.message.contains("\"\(waiter.subject)\"")
          {
            failed.append(waiter)
            state.waiters[id] = nil
          }
        }
        return (state.handler, failed, error)
      }
      for waiter in failed { waiter.completion(.failure(error)) }
      handler(event)
    }

    func reply(_ message: NATSMessage) {
      let id = message.subject.split(separator: ".").last.flatMap { UInt64($0) }
      let waiter = locked.withLock { state in id.flatMap { state.waiters.removeValue(forKey: $0) } }
      waiter?.completion(.success(message))
    }

    func expire(now: ContinuousClock.Instant) {
      let late = locked.withLock { state in
        let late = state.waiters.filter { $0.value.deadline <= now }
        for id in late.keys { state.waiters[id] = nil }
        return Array(late.values)
      }
      for waiter in late {
        waiter.completion(.failure(NATSError(.timeout, "NATS did not answer in time")))
      }
    }
  }

  /// Connects, on a thread of its own.
  package static func connect(
    _ options: NATSOptions, on loop: EventLoop
  ) async throws(NATSError) -> RelayClient {
    let result: Result<RelayClient, NATSError> = await withCheckedContinuation { continuation in
      do {
        try Thread(for: "NATS") {
          do throws(NATSError) {
            continuation.resume(returning: .success(try RelayClient(blocking: options, on: loop)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }.detach()
      } catch {
        continuation.resume(returning: .failure(NATSError(.other, "cannot \(error)")))
      }
    }
    return try result.get()
  }

  private init(blocking options: NATSOptions, on loop: EventLoop) throws(NATSError) {
    let state = Shared()
    self.state = state
    self.options = options
    self.loop = loop
    inbox = options.newInbox()
    connection = try NATSConnection(blocking: options) { state.take($0) }
    let subscription = try connection.subscribe("\(inbox).*") { state.reply($0) }
    state.locked.withLock { $0.subscription = subscription }
    // Ends with the client.
    Task(executorPreference: loop.taskExecutor) { [weak state] in
      while await loop.sleep(until: .now + .milliseconds(250)), let state {
        state.expire(now: .now)
      }
    }
  }

  /// Calls `handler` for each event, on threads of the library.
  func onEvent(_ handler: @escaping @Sendable (NATSConnection.Event) -> Void) {
    state.locked.withLock { $0.handler = handler }
  }

  var isConnected: Bool { state.locked.withLock { $0.isConnected } }
  var maxPayload: Int { connection.maxPayload }

  func subscribe(
    _ subject: String, _ handler: @escaping @Sendable (NATSMessage) -> Void
  ) throws(NATSError) -> NATSSubscription {
    try connection.subscribe(subject, handler)
  }

  func publish(_ message: NATSMessage) throws(NATSError) {
    try connection.publish(message)
  }

  /// Sends a request and waits for the reply, even if the task is canceled.
  func request(
    _ message: NATSMessage, timeout: Duration = timeout
  ) async throws(NATSError) -> NATSMessage {
    let result = await withCheckedContinuation { continuation in
      request(message, timeout: timeout) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Sends a request. `completion` gets the reply, on any thread.
  func request(
    _ message: NATSMessage, timeout: Duration = timeout,
    completion: @escaping @Sendable (Result<NATSMessage, NATSError>) -> Void
  ) {
    let id = state.locked.withLock { state -> UInt64? in
      guard state.isConnected else { return nil }
      state.lastID += 1
      state.waiters[state.lastID] = Waiter(
        subject: message.subject, deadline: .now + timeout, completion: completion)
      return state.lastID
    }
    guard let id else {
      return completion(.failure(NATSError(.disconnected, "NATS is not connected")))
    }
    var message = message
    message.reply = "\(inbox).\(id)"
    do throws(NATSError) {
      try connection.publish(message)
    } catch {
      let waiter = state.locked.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.completion(.failure(error))
    }
  }

  /// Sends what was published, and closes the connection. Blocks for half a second at most.
  package func close() {
    state.locked.withLock { $0.subscription = nil }
    connection.close()
  }
}

/// Returns 96 random bits in hexadecimal digits.
func randomName() -> String {
  let digits = Array("0123456789abcdef")
  var random = SystemRandomNumberGenerator()
  return String((0..<24).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
}
