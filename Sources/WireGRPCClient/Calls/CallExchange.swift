import WireGRPC
import WireIO
import WireSystem

/// The state that the caller of a streaming call and the loop share: a queue in each direction,
/// each with its own lock.
final class CallExchange: Sendable {
  /// A suspended task, and whether it runs on the loop.
  struct Waker: Sendable {
    var waiter: Waiter<Void>
    var isOnLoop: Bool
  }

  private let requests = Locked(RequestQueue<Waker>())
  private let responses: Locked<ResponseQueue<Waker>>

  init(creditStep: Int) {
    responses = Locked(ResponseQueue(creditStep: creditStep))
  }

  // MARK: The caller's side

  func send(_ frame: [UInt8]) -> RequestQueue<Waker>.SendAction {
    requests.withLock { $0.send(frame) }
  }

  /// Sends the only message of a call that is not submitted yet.
  func sendOnly(_ frame: [UInt8]) {
    _ = requests.withLock { requests in
      _ = requests.send(frame)
      return requests.finish()
    }
  }

  /// Returns whether to notify the loop.
  func finish() -> Bool {
    requests.withLock { $0.finish() }
  }

  func waitForRoom(isOnLoop: Bool) async {
    await Waiter.wait { waiter in
      requests.withLock { $0.wait(Waker(waiter: waiter, isOnLoop: isOnLoop)) }?.waiter.resume()
    }
  }

  func next() -> ResponseQueue<Waker>.Next {
    responses.withLock { $0.take() }
  }

  /// Waits for a message or the end. Returns false if another task already waits.
  func waitForMore(isOnLoop: Bool) async -> Bool {
    var isAlone = true
    await Waiter.wait { waiter in
      switch responses.withLock({ $0.wait(Waker(waiter: waiter, isOnLoop: isOnLoop)) }) {
      case .wait: return
      case .ready: break
      case .refuse: isAlone = false
      }
      waiter.resume()
    }
    return isAlone
  }

  var headers: Metadata? { responses.withLock { $0.headers } }
  var end: Result<Metadata, CallError>? { responses.withLock { $0.end } }
  var attempts: Int { responses.withLock { $0.attempts } }
  var peer: SocketAddress? { responses.withLock { $0.peer } }

  /// Waits for the headers, or with `forEnd` for the end.
  func watch(forEnd: Bool, isOnLoop: Bool) async {
    await Waiter.wait { waiter in
      let waker = Waker(waiter: waiter, isOnLoop: isOnLoop)
      responses.withLock { $0.watch(waker, forEnd: forEnd) }?.waiter.resume()
    }
  }

  // MARK: The loop's side. It wakes the wakers that these functions return.

  /// Takes all unsent messages; nil if there are none.
  func takeRequests(waking wakers: inout [Waker]) -> (bytes: [UInt8], isLast: Bool)? {
    requests.withLock { $0.take(waking: &wakers) }
  }

  func sent(to peer: SocketAddress, attempts: Int) {
    responses.withLock { $0.sent(to: peer, attempts: attempts) }
  }

  func begin(_ headers: Metadata) -> [Waker] {
    responses.withLock { $0.begin(headers) }
  }

  func append(_ messages: [MessageDeframer.Message]) -> Waker? {
    responses.withLock { $0.append(messages) }
  }

  /// The bytes of messages that wait to be read.
  var heldBytes: Int { responses.withLock { $0.heldBytes } }

  func end(_ result: Result<Metadata, CallError>, attempts: Int) -> [Waker] {
    // Refuse sends first: a reader that learns of the end may send at once.
    let senders = requests.withLock { requests in
      switch result {
      case .success: requests.end(.endedByServer)
      case .failure(let error): requests.end(error)
      }
    }
    return senders + responses.withLock { $0.end(result, attempts: attempts) }
  }
}

extension CallError {
  /// The error of a send after the server ended the call with OK.
  fileprivate static let endedByServer: CallError = {
    var error = CallError.local(
      .cancelled, "not sent: the server has already ended the call with OK")
    error.cause = .endedByServer
    return error
  }()
}
