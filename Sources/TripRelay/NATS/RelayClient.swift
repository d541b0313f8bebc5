import RelayAPI
package import WireIO
import WireSystem

/// A connection to NATS with requests and replies.
///
/// Requests fail at once when the connection is lost or the server refuses their subject.
package final class RelayClient: Sendable {
  static let timeout = Duration.seconds(5)
  /// The time between two exchanges of messages under load.
  private static let pause = Duration.milliseconds(10)
  private static let longestPause = Duration.milliseconds(16)

  let options: NATSOptions
  let loop: EventLoop
  private let connection: NATSConnection
  private let inbox: String
  private let requests: OpenRequests

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
    inbox = options.newInbox()
    let requests = OpenRequests(inbox: inbox)
    self.requests = requests
    self.options = options
    self.loop = loop
    connection = try NATSConnection(blocking: options) {
      requests.take($0.naming(options.shownUser))
    }
  }

  /// Calls `take` for each event, on the loop, as long as the actor exists, and at once if there is no connection.
  func onEvent<Receiver: Actor>(
    of receiver: isolated Receiver,
    _ take: @escaping @Sendable (isolated Receiver, NATSConnection.Event) -> Void
  ) {
    requests.onEvent { [weak receiver, loop] event in
      guard let receiver else { return }
      loop.execute { receiver.assumeIsolated { take($0, event) } }
    }
    if !isConnected { take(receiver, .disconnected) }
  }

  /// The error after a lost connection.
  ///
  /// - Parameter rest: what goes on meanwhile, for the hint.
  func disconnection(_ rest: String) -> NATSError {
    NATSError(
      .disconnected, "the connection to NATS at \(shownURL) was lost",
      hint: RelayHint.lostConnection(rest))
  }

  /// The URL without credentials, for messages.
  package var shownURL: String { options.shownURL }
  var isConnected: Bool { requests.isConnected }
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
  ///
  /// - Parameters:
  ///   - responder: the stream or the API that answers. If it does not exist, all requests to it get a reply with
  ///     the status 503.
  ///   - repetition: the time after which the request is sent again; nil for never. It doubles each time, because a
  ///     busy server takes its time, too.
  func request(
    _ message: NATSMessage, to responder: String, repeatedAfter repetition: Duration? = nil
  ) async throws(NATSError) -> NATSMessage {
    let result = await withCheckedContinuation { continuation in
      do throws(NATSError) {
        let (id, message) = try open(message, to: responder, isDelayed: false) {
          continuation.resume(returning: $0)
        }
        send(message, id)
        if let repetition { `repeat`(message, id, after: repetition) }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Sends a request some milliseconds later, together with others. `completion` gets the reply, on any thread.
  func delayedRequest(
    _ message: NATSMessage, to responder: String,
    completion: @escaping @Sendable (Result<NATSMessage, NATSError>) -> Void
  ) {
    do throws(NATSError) {
      let (id, message) = try open(
        message, to: responder, isDelayed: true, completion)
      requests.delay(message, id)
    } catch {
      completion(.failure(error))
    }
  }

  private func open(
    _ message: NATSMessage, to responder: String, isDelayed: Bool,
    _ completion: @escaping @Sendable (Result<NATSMessage, NATSError>) -> Void
  ) throws(NATSError) -> (id: UInt64, message: NATSMessage) {
    let request = OpenRequest(
      subject: message.subject, responder: responder, deadline: .now + Self.timeout,
      completion: completion)
    let (id, queue, isFirst) = try requests.add(request) { index throws(NATSError) in
      try connection.queue("\(inbox).\(index).*")
    }
    if isFirst { exchange(after: isDelayed ? Self.pause : .milliseconds(1)) }
    var message = message
    message.reply = "\(inbox).\(queue).\(id)"
    return (id, message)
  }

  private func send(_ message: NATSMessage, _ id: UInt64) {
    do throws(NATSError) {
      try connection.publish(message)
    } catch {
      requests.remove(id)?.completion(.failure(error))
    }
  }

  private func `repeat`(_ message: NATSMessage, _ id: UInt64, after pause: Duration) {
    loop.execute { [self] in
      loop.schedule(at: .now + pause) { [self] in
        guard requests.contains(id) else { return }
        send(message, id)
        `repeat`(message, id, after: pause * 2)
      }
    }
  }

  /// Takes replies and sends delayed requests at intervals while there are open requests.
  ///
  /// At 1,000 requests a second, system calls and switches of threads for each one cost more than all else.
  private func exchange(after pause: Duration) {
    loop.execute { [self] in
      loop.schedule(at: .now + pause) { [self] in
        let wereTaken = requests.takeReplies(now: .now)
        let delayed = requests.takeDelayed()
        for (id, message) in delayed { send(message, id) }
        guard requests.stayWatched() else { return }
        exchange(
          after: wereTaken || !delayed.isEmpty ? Self.pause : min(pause * 2, Self.longestPause))
      }
    }
  }

  /// Sends what was published, and closes the connection. Blocks for half a second at most.
  package func close() {
    // The library reports this end, too.
    requests.onEvent { _ in }
    requests.removeQueues()
    connection.close()
  }
}

extension NATSConnection.Event {
  /// Names who lacks a permission.
  fileprivate func naming(_ user: String) -> Self {
    guard case .error(let error) = self, error.kind == .notPermitted else { return self }
    return .error(
      NATSError(
        .notPermitted, "NATS refused a request\(user): \(error.message)", subject: error.subject,
        isRefusedSubscription: error.isRefusedSubscription))
  }
}
