import WireIO
import WireProtobuf
import WireSystem

/// Receives the last message of each subject of a stream, and every later one in order.
///
/// A push consumer without acknowledgments. If a message or the consumer is lost, it begins again with all
/// last messages.
final class StreamWatch: Sendable {
  enum Event: Sendable {
    /// All last messages follow.
    case begin
    case message(Delivery)
    /// All last messages were passed.
    case loaded
    /// The consumer cannot be created. The watch tries again.
    case failed(NATSError)
  }

  struct Delivery: Sendable {
    let message: NATSMessage
    /// When the server stored it, in seconds since 1970, by the server's clock.
    let time: Double
  }

  private struct State {
    var generation = 0
    var subscription: NATSSubscription?
    var expected: UInt64 = 1
    var lastActivity = ContinuousClock.now
    var isLoaded = false
    var isStarting = false
    var isStopped = false
  }

  private static let heartbeat = Duration.seconds(2)
  private static let inactivityTimeout = Duration.seconds(7)

  private let stream: JetStream
  private let name: String
  private let subject: String
  private let handler: @Sendable (Event) -> Void
  private let state = Locked(State())

  /// - Parameter handler: called for one event at a time, on threads of the library.
  init(
    _ stream: JetStream, _ name: String, subject: String,
    handler: @escaping @Sendable (Event) -> Void
  ) {
    self.stream = stream
    self.name = name
    self.subject = subject
    self.handler = handler
  }

  /// Begins, or begins again with all last messages.
  func start() async {
    let generation = state.withLock { state in
      state.generation += 1
      state.subscription = nil
      state.expected = 1
      state.isLoaded = false
      state.isStarting = true
      state.lastActivity = .now
      return state.generation
    }
    let inbox = stream.client.options.newInbox()
    do throws(NATSError) {
      handler(.begin)
      let subscription = try stream.client.subscribe(inbox) { [weak self] message in
        self?.receive(message, generation)
      }
      state.withLock { $0.subscription = subscription }
      let heartbeat = Int64(Self.heartbeat / .nanoseconds(1))
      let answer = try await stream.call(
        "CONSUMER.CREATE.\(name)",
        JSONWriter.object { json in
          json.member("stream_name", name)
          json.object("config") { json in
            json.member("deliver_subject", inbox)
            json.member("deliver_policy", "last_per_subject")
            json.member("ack_policy", "none")
            json.member("max_deliver", 1)
            json.member("filter_subject", subject)
            json.member("replay_policy", "instant")
            json.member("flow_control", true)
            json.member("idle_heartbeat", heartbeat)
            json.member("mem_storage", true)
            json.member("num_replicas", 1)
          }
        },
        action: "read the stream \(name)")
      // The number of messages for the consumer, delivered ones included.
      let delivered = answer.object("delivered")?.integer("consumer_seq") ?? 0
      let pending = (answer.integer("num_pending") ?? 0) + delivered
      let isLoaded = state.withLock { state in
        guard state.generation == generation else { return false }
        state.isStarting = false
        guard pending == 0, !state.isLoaded else { return false }
        state.isLoaded = true
        return true
      }
      if isLoaded { handler(.loaded) }
    } catch {
      state.withLock { state in
        guard state.generation == generation else { return }
        state.isStarting = false
        state.subscription = nil
        // Soon, but not at once.
        state.lastActivity = .now - Self.inactivityTimeout + .seconds(1)
      }
      handler(.failed(error))
    }
  }

  /// Begins again if the consumer is silent. Call it about once a second.
  func check() {
    let isSilent = state.withLock { state in
      !state.isStopped && !state.isStarting
        && ContinuousClock.now - state.lastActivity > Self.inactivityTimeout
    }
    if isSilent, stream.client.isConnected { restart() }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.generation += 1
      state.subscription = nil
    }
  }

  private func restart() {
    Task(executorPreference: stream.client.loop.taskExecutor) { await self.start() }
  }

  private func receive(_ message: NATSMessage, _ generation: Int) {
    if message.status == 100 {
      // A request for flow control, or a heartbeat of a consumer that waits for one.
      if let reply = message.reply ?? message.headers["Nats-Consumer-Stalled"] {
        try? stream.client.publish(NATSMessage(reply))
      }
      let lost = state.withLock { state in
        guard state.generation == generation else { return false }
        state.lastActivity = .now
        let last = message.headers["Nats-Last-Consumer"].flatMap { UInt64($0) }
        return last.map { $0 >= state.expected } ?? false
      }
      if lost { restart() }
      return
    }
    guard let position = Position(message.reply) else { return }
    enum Step {
      case ignore, restart
      case deliver(isLast: Bool)
    }
    let step = state.withLock { state -> Step in
      guard state.generation == generation else { return .ignore }
      state.lastActivity = .now
      guard position.consumer == state.expected else { return .restart }
      state.expected += 1
      let isLast = position.pending == 0 && !state.isLoaded
      if isLast { state.isLoaded = true }
      return .deliver(isLast: isLast)
    }
    switch step {
    case .ignore: break
    case .restart: restart()
    case .deliver(let isLast):
      handler(.message(Delivery(message: message, time: position.time)))
      if isLast { handler(.loaded) }
    }
  }
}

/// The numbers in the reply subject of a consumer's message.
struct Position: Sendable, Hashable {
  let consumer: UInt64
  /// Seconds since 1970.
  let time: Double
  let pending: UInt64

  /// Parses `$JS.ACK.STREAM.CONSUMER.DELIVERED.STREAM_SEQ.CONSUMER_SEQ.TIME.PENDING`, with a domain and an
  /// account after `ACK` in newer servers.
  init?(_ reply: String?) {
    guard let tokens = reply?.split(separator: "."), tokens.count >= 9, tokens[0] == "$JS",
      tokens[1] == "ACK"
    else { return nil }
    let offset = tokens.count == 9 ? 0 : 2
    guard tokens.count >= 9 + offset, let consumer = UInt64(tokens[6 + offset]),
      let time = UInt64(tokens[7 + offset]), let pending = UInt64(tokens[8 + offset])
    else { return nil }
    (self.consumer, self.pending) = (consumer, pending)
    self.time = Double(time) / 1e9
  }
}
