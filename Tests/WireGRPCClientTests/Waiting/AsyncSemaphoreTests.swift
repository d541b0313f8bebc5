import Testing
import WireSystem

@testable import WireGRPCClient

/// The number of running operations, and its maximum.
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

@Suite struct AsyncSemaphoreTests {
  @Test func limitsConcurrentOperations() async throws {
    let semaphore = AsyncSemaphore(2)
    let running = Running()
    let tasks = (0..<20).map { _ in
      Task {
        try await semaphore.wait()
        running.begin()
        await Task.yield()
        running.end()
        semaphore.signal()
      }
    }
    for task in tasks { try await task.value }
    #expect((1...2).contains(running.most))
  }

  @Test func canceledWaiterLeavesTheQueue() async throws {
    let semaphore = AsyncSemaphore(1)
    try await semaphore.wait()
    let waiting = Task { try await semaphore.wait() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let next = Task { try await semaphore.wait() }
    semaphore.signal()
    try await next.value
  }
}
