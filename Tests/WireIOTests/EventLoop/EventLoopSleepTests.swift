import Testing

@testable import WireIO

@Suite(.timeLimit(.minutes(20))) struct EventLoopSleepTests {
  @Test func sleepEndsAtTheInstant() async throws {
    try await withLoop { loop, _ in
      let end = ContinuousClock.now + .milliseconds(5)
      #expect(await loop.sleep(until: end))
      #expect(ContinuousClock.now >= end)
    }
  }

  /// The task is canceled before, while and after its timer is added.
  @Test(arguments: 0..<4) func canceledTaskStopsSleeping(rounds: Int) async throws {
    try await withLoop { loop, worker in
      let task = Task { await loop.sleep(until: .now + .seconds(3600)) }
      for _ in 0..<rounds { await worker.run { _ in } }
      task.cancel()
      #expect(await task.value == false)
    }
  }

  @Test func stoppedLoopEndsTheSleep() async throws {
    let loop = try EventLoop.start(name: "test")
    let task = Task { await loop.sleep(until: .now + .seconds(3600)) }
    loop.stop()
    #expect(await task.value == false)
    #expect(await loop.sleep(until: .now + .seconds(3600)) == false)
  }

  @Test func closuresRunInOrderWithJobs() async throws {
    try await withLoop { loop, worker in
      let order = OnLoop<[Int]>([])
      for number in 0..<3 { loop.execute { order.value.append(number) } }
      #expect(await worker.run { _ in order.value } == [0, 1, 2])
    }
  }
}
