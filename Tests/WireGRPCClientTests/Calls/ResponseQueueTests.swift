import Testing

@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireIO

@Suite struct ResponseQueueTests {
  private func message(_ count: Int, _ byte: UInt8 = 0) -> MessageDeframer.Message {
    MessageDeframer.Message(isCompressed: false, bytes: [UInt8](repeating: byte, count: count))
  }

  /// Returns the result of `take` as text: the first byte and the size of a message.
  private func take(_ queue: inout ResponseQueue<Int>) -> String {
    switch queue.take() {
    case .message(let message, let returnsCredit):
      "\(message.bytes[0])x\(message.bytes.count)\(returnsCredit ? " credit" : "")"
    case .end(.success): "OK"
    case .end(.failure(let error)): error.code.description
    case .wait: "wait"
    }
  }

  private func wait(_ queue: inout ResponseQueue<Int>, _ waker: Int) -> String {
    "\(queue.wait(waker))"
  }

  @Test func returnsMessagesInOrderAndThenTheEnd() throws {
    var queue = ResponseQueue<Int>(creditStep: 1000)
    check(take(&queue), "wait")
    let address = try #require(SocketAddress(numericHost: "127.0.0.1", port: 1))
    queue.sent(to: address, attempts: 2)
    check(queue.begin(["a": "b"]), [])
    check(queue.headers, ["a": "b"])
    check(queue.attempts, 2)
    check(queue.peer, address)
    check(queue.append([message(1, 1), message(2, 2)]), nil)
    check(queue.append([message(3, 3)]), nil)
    check(queue.end(.success(["t": "u"]), attempts: 2), [])
    check(queue.append([message(4, 4)]), nil)
    check((1...5).map { _ in take(&queue) }, ["1x1", "2x2", "3x3", "OK", "OK"])
  }

  @Test func wakesAReaderOnce() {
    var queue = ResponseQueue<Int>(creditStep: 1000)
    check(wait(&queue, 1), "wait")
    check(wait(&queue, 2), "refuse")
    check(queue.append([message(1)]), 1)
    check(queue.append([message(1)]), nil)
    check(wait(&queue, 3), "ready")
    _ = (take(&queue), take(&queue))
    check(wait(&queue, 4), "wait")
    check(queue.end(.success([:]), attempts: 1), [4])
    check(wait(&queue, 5), "ready")
  }

  @Test func headersAndTheEndWakeAllWatchers() {
    var queue = ResponseQueue<Int>(creditStep: 1000)
    check(queue.watch(1, forEnd: false), nil)
    check(queue.watch(2, forEnd: true), nil)
    check(queue.begin([:]), [1, 2])
    check(queue.watch(3, forEnd: false), 3)
    check(queue.watch(4, forEnd: true), nil)
    check(queue.end(.failure(.transport(.unavailable, "")), attempts: 1), [4])
    check(queue.watch(5, forEnd: true), 5)
  }

  @Test func headersAreEmptyIfTheResponseHasNone() {
    var queue = ResponseQueue<Int>(creditStep: 1000)
    check(queue.headers, nil)
    _ = queue.end(.success([:]), attempts: 1)
    check(queue.headers, [:])
    var failed = ResponseQueue<Int>(creditStep: 1000)
    _ = failed.end(.failure(.transport(.unavailable, "")), attempts: 1)
    check(failed.headers, nil)
  }

  @Test(arguments: [
    (CallError.local(.deadlineExceeded, ""), "DEADLINE_EXCEEDED"),
    (.local(.cancelled, ""), "CANCELLED"),
    (CallError(code: .cancelled, message: "", origin: .server), "0x1"),
    (.transport(.unavailable, ""), "0x1"), (.local(.resourceExhausted, ""), "0x1"),
  ])
  func onlyLocalEndsDropUnreadMessages(_ error: CallError, _ next: String) {
    var queue = ResponseQueue<Int>(creditStep: 1000)
    _ = queue.append([message(1)])
    _ = queue.end(.failure(error), attempts: 1)
    check(take(&queue), next)
    // The first end counts.
    check(queue.end(.success([:]), attempts: 1), [])
    check(queue.heldBytes, 0)
  }

  @Test func returnsCreditInSteps() {
    var queue = ResponseQueue<Int>(creditStep: 100)
    _ = queue.append([message(45), message(45), message(95), message(45)])
    check(queue.heldBytes, 250)
    check((1...4).map { _ in take(&queue) }, ["0x45", "0x45 credit", "0x95 credit", "0x45"])
    check(queue.heldBytes, 0)
  }

  @Test func keepsTheOrderForASlowReader() {
    var queue = ResponseQueue<Int>(creditStep: 1_000_000)
    var sent = 0
    for expected in 0..<1000 {
      for _ in 0..<2 where sent < 1000 {
        _ = queue.append([message(1, UInt8(truncatingIfNeeded: sent))])
        sent += 1
      }
      check(take(&queue), "\(UInt8(truncatingIfNeeded: expected))x1")
    }
    check(take(&queue), "wait")
    check(queue.heldBytes, 0)
  }
}
