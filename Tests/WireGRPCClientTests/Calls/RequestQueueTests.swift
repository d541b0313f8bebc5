import Testing

@testable import WireGRPCClient

@Suite struct RequestQueueTests {
  /// Returns the action of `send` as text.
  private func send(
    _ queue: inout RequestQueue<Int>, _ count: Int, _ byte: UInt8 = 1
  ) -> String {
    switch queue.send([UInt8](repeating: byte, count: count)) {
    case .sent(let announce): announce ? "announce" : "sent"
    case .wait: "wait"
    case .refuse(let error): error.code.description
    }
  }

  /// Returns the result of `take` as text: the number of bytes, whether they are the last, and whom
  /// to wake.
  private func take(_ queue: inout RequestQueue<Int>) -> String {
    var woken: [Int] = []
    guard let (bytes, isLast) = queue.take(waking: &woken) else { return "nothing" }
    return "\(bytes.count)\(isLast ? " last" : "") \(woken)"
  }

  @Test func notifiesTheLoopOncePerBatch() {
    var queue = RequestQueue<Int>()
    check(take(&queue), "nothing")
    check(send(&queue, 10), "announce")
    check(send(&queue, 10), "sent")
    check(take(&queue), "20 []")
    check(take(&queue), "nothing")
    check(send(&queue, 1), "announce")
  }

  @Test func sendersWaitAboveTheHighWaterMark() {
    var queue = RequestQueue<Int>()
    // Below the limit, a message of any size is accepted.
    check(send(&queue, RequestQueue<Int>.highWater - 1), "announce")
    check(queue.wait(7), 7)
    check(send(&queue, 100_000), "sent")
    check(send(&queue, 1), "wait")
    check(queue.wait(1), nil)
    check(queue.wait(2), nil)
    check(take(&queue), "\(RequestQueue<Int>.highWater + 99_999) [1, 2]")
    check(queue.wait(3), 3)
    check(send(&queue, 1), "announce")
  }

  @Test func refusesMessagesAfterFinish() {
    var queue = RequestQueue<Int>()
    check(send(&queue, 3), "announce")
    check(queue.finish(), false)
    check(queue.finish(), false)
    check(send(&queue, 1), "INTERNAL")
    check(take(&queue), "3 last []")
    check(take(&queue), "nothing")
    check(send(&queue, 1), "INTERNAL")
    check(queue.finish(), false)
  }

  @Test func announcesAnEmptyRequest() {
    var queue = RequestQueue<Int>()
    check(queue.finish(), true)
    check(take(&queue), "0 last []")
  }

  @Test func refusesSendersAfterTheCall() {
    var queue = RequestQueue<Int>()
    check(send(&queue, 100_000), "announce")
    check(queue.wait(1), nil)
    check(queue.end(.local(.unavailable, "gone")), [1])
    check(send(&queue, 1), "UNAVAILABLE")
    check(queue.wait(2), 2)
    check(queue.finish(), false)
    check(take(&queue), "nothing")
    // The first end counts.
    check(queue.end(.local(.cancelled, "")), [])
    check(send(&queue, 1), "UNAVAILABLE")
  }
}
