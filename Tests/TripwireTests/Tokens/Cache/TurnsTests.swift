import Testing
import WireSystem

@testable import Tripwire

/// Counts running tasks and their maximum.
private final class Running: Sendable {
  private let count = Locked((now: 0, most: 0))

  var most: Int { count.withLock { $0.most } }

  func begin() {
    count.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
  }

  func end() { count.withLock { $0.now -= 1 } }
}

@Suite struct TurnsTests {
  @Test func concurrencyIsLimited() async throws {
    let turns = Turns(2)
    let running = Running()
    let tasks = (0..<20).map { _ in
      Task {
        try await turns.take()
        running.begin()
        await Task.yield()
        running.end()
        turns.giveBack()
      }
    }
    for task in tasks { try await task.value }
    #expect((1...2).contains(running.most))
  }

  @Test func canceledWaiterIsSkipped() async throws {
    let turns = Turns(1)
    try await turns.take()
    let waiting = Task { try await turns.take() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let next = Task { try await turns.take() }
    turns.giveBack()
    try await next.value
  }
}
