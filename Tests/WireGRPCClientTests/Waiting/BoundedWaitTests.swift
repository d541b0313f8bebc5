import TestSupport
import Testing
import WireGRPC
import WireGRPCClient

@Suite(.timeLimit(.minutes(20))) struct BoundedWaitTests {
  private struct Broken: Error {}

  private func error(
    until deadline: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable () async throws -> Int
  ) async -> CallError? {
    do throws(CallError) {
      _ = try await wait(until: deadline, for: "the clerk", body)
      return nil
    } catch {
      return error
    }
  }

  @Test func givesWhatTheBodyGives() async throws {
    let soon = try await wait(until: nil, for: "") { 1 }
    let later = try await wait(until: .now + .seconds(3600), for: "") {
      await Task.yield()
      return 2
    }
    #expect((soon, later) == (1, 2))
  }

  @Test func endsAtTheDeadlineThoughTheBodyDoesNot() async {
    let uncancellable = UncancellableTask()
    defer { uncancellable.finish() }
    let error = await error(until: .now + .milliseconds(20)) {
      await uncancellable.wait()
      return 1
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(error?.message == "the deadline passed while waiting for the clerk")
  }

  @Test func doesNotBeginAfterTheDeadline() async {
    let error = await error(until: .now) {
      Issue.record("it began")
      return 1
    }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func endsWithItsTaskThoughTheBodyDoesNot() async {
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
    let (told, telling) = AsyncStream<Void>.makeStream()
    let task = Task {
      await error {
        await withTaskCancellationHandler {
          await uncancellable.wait()
        } onCancel: {
          telling.finish()
        }
        return 1
      }
    }
    task.cancel()
    for await _ in told {}
    #expect(await task.value?.code == .cancelled)
  }

  @Test func aBodyThatIsCancelledCancelsTheCall() async {
    #expect(await error { throw CancellationError() }?.code == .cancelled)
  }

  // MARK: gRFC A54

  @Test func codesThatOnlyServersGiveBecomeINTERNAL() async {
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

  @Test func otherErrorsAreINTERNAL() async {
    let error = await error { throw Broken() }
    #expect(error?.code == .internal)
    #expect(error?.message == "the clerk failed: Broken()")
  }
}
