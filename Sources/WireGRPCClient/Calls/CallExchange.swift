import WireGRPC
import WireIO
import WireSystem

/// What the caller of a streaming call and the loop share: a queue each way, each under its lock.
package final class CallExchange: Sendable {
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

  /// Returns whether the loop is to be told.
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

  /// Waits for a message or the end. Returns false when somebody else does already.
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

  // MARK: The loop's side. Who it gets back is to be woken.

  /// All that there is to send; nil when that is nothing new.
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

  /// Bytes of the messages that wait to be read.
  var heldBytes: Int { responses.withLock { $0.heldBytes } }

  func end(_ result: Result<Metadata, CallError>, attempts: Int) -> [Waker] {
    // Who reads and learns of the end may send at once, and is to be refused.
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
  /// Why a message can no longer be sent, though the call went well.
  static let endedByServer = CallError.local(
    .cancelled, "not sent: the server has already ended the call with OK")
}
