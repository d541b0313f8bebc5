import WireGRPC
import WireSystem

/// A queue in each direction, each with its lock, between a streaming call's caller and the loop.
final class CallExchange: Sendable {
  /// A suspended task, and whether it runs on the loop.
  struct Waker: Sendable {
    var waiter: Waiter<Void>
    var isOnLoop: Bool
  }

  let requests = Locked(RequestQueue<Waker>())
  let responses: Locked<ResponseQueue<Waker>>

  init(creditStep: Int) {
    responses = Locked(ResponseQueue(creditStep: creditStep))
  }

  /// Sends the only message of a call that is not submitted yet.
  func sendOnly(_ frame: [UInt8]) {
    _ = requests.withLock { requests in
      _ = requests.send(frame)
      return requests.finish()
    }
  }

  func waitForRoom(isOnLoop: Bool) async {
    await Waiter.wait { waiter in
      requests.withLock { $0.wait(Waker(waiter: waiter, isOnLoop: isOnLoop)) }?.waiter.resume()
    }
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

  /// Waits for the headers, or with `forEnd` for the end.
  func watch(forEnd: Bool, isOnLoop: Bool) async {
    await Waiter.wait { waiter in
      let waker = Waker(waiter: waiter, isOnLoop: isOnLoop)
      responses.withLock { $0.watch(waker, forEnd: forEnd) }?.waiter.resume()
    }
  }

  /// Ends the call. The loop wakes the wakers that it returns.
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
