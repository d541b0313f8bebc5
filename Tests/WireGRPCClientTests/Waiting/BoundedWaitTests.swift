import TestSupport
import Testing

@testable import WireGRPC
@testable import WireGRPCClient
@testable import WireIO

@Suite(.timeLimit(.minutes(20))) final class BoundedWaitTests: Sendable {
  private let loop: EventLoop

  init() throws {
    loop = try EventLoop.start(name: "test")
  }

  deinit {
    loop.stop()
  }

  private struct Broken: Error {}

  private func error(
    until deadline: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable () async throws -> Int
  ) async -> CallError? {
    do throws(CallError) {
      _ = try await wait(until: deadline, on: loop, for: "the clerk", body)
      return nil
    } catch {
      return error
    }
  }

  @Test func returnsTheValueOfTheBody() async throws {
    let soon = try await wait(until: nil, on: loop, for: "") { 1 }
    let later = try await wait(until: .now + .seconds(3600), on: loop, for: "") {
      await Task.yield()
      return 2
    }
    #expect((soon, later) == (1, 2))
  }

  @Test func endsAtTheDeadlineBeforeTheBody() async {
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    let error = await error(until: .now + .milliseconds(20)) {
      await uncancellable.wait()
      return 1
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.message == "the deadline passed while waiting for the clerk")
  }

  @Test(arguments: [ContinuousClock.now + .seconds(3600), nil])
  func endsWhenTheLoopStops(deadline: ContinuousClock.Instant?) async {
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    loop.stop()
    let error = await error(until: deadline) {
      await uncancellable.wait()
      return 1
    }
    #expect(error?.code == .unavailable)
  }

  @Test func doesNotStartAfterTheDeadline() async {
    let error = await error(until: .now) {
      Issue.record("it began")
      return 1
    }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func cancellationEndsTheWaitBeforeTheBody() async {
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    let task = Task {
      await error {
        await uncancellable.wait()
        return 1
      }
    }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  @Test func cancelsTheBody() async {
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    let (cancellations, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      await error {
        await withTaskCancellationHandler {
          await uncancellable.wait()
        } onCancel: {
          continuation.finish()
        }
        return 1
      }
    }
    task.cancel()
    for await _ in cancellations {}
    #expect(await task.value?.code == .cancelled)
  }

  @Test func canceledBodyCancelsTheCall() async {
    #expect(await error { throw CancellationError() }?.code == .cancelled)
  }

  // MARK: gRFC A54

  @Test func serverOnlyCodesBecomeInternal() async {
    let forbidden: Set<Int> = [0, 3, 5, 6, 9, 10, 11, 15, 17, -1]
    for number in -1...17 {
      let code = StatusCode(rawValue: number)
      let error = await error { throw CallError(code: code, message: "odd", origin: .server) }
      #expect(error?.code == (forbidden.contains(number) ? .internal : code), "\(code)")
      let text = forbidden.contains(number) ? "\(code): odd" : "odd"
      #expect(error?.message == "the clerk failed: \(text)")
      #expect(error?.origin == .local)
    }
  }

  @Test func otherErrorsBecomeInternal() async {
    let error = await error { throw Broken() }
    #expect(error?.code == .internal)
    #expect(error?.message == "the clerk failed: Broken()")
  }
}
