public import Testing
import WireIO

/// Runs each test on a thread of its own, so that a test that blocks takes no thread from tasks.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  @concurrent public func provideScope(
    for _: Test, testCase _: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let loop = try EventLoop.start(name: "a test")
    defer { loop.stop() }
    try await withTaskExecutorPreference(loop.taskExecutor) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  public static var ownThread: OwnThread { OwnThread() }
}
