import Testing
import WireSystem

@testable import Tripwire

@Suite struct CompletionTokenTests {
  private struct Failure: Error {}

  @Test func completionMayBeCalledAtOnce() async throws {
    let provider = CompletionToken { context, completion in
      completion("for \(context.tripID ?? "")", nil)
    }
    #expect(try await provider.token(for: aTrip()).value == "for t1")
  }

  @Test func completionMayBeCalledLaterOnAnotherThread() async throws {
    let provider = CompletionToken { _, completion in Task.detached { completion("late", nil) } }
    #expect(try await provider.token(for: aTrip()).value == "late")
  }

  @Test func firstCallOfTheCompletionCounts() async throws {
    let provider = CompletionToken { _, completion in
      completion("first", nil)
      completion("second", nil)
      completion(nil, Failure())
    }
    #expect(try await provider.token(for: aTrip()).value == "first")
  }

  @Test func errorTakesPrecedenceOverAToken() async {
    let provider = CompletionToken { _, completion in completion("token", Failure()) }
    await #expect(throws: Failure.self) { try await provider.token(for: aTrip()) }
  }

  @Test func completionWithoutATokenFails() async {
    let provider = CompletionToken { _, completion in completion(nil, nil) }
    await #expect(throws: TokenError.none) { try await provider.token(for: aTrip()) }
  }

  @Test func releasedCompletionFails() async {
    let provider = CompletionToken { _, _ in }
    await #expect(throws: TokenError.none) { try await provider.token(for: aTrip()) }
  }

  @Test func canceledCallIgnoresALateCompletion() async throws {
    let kept = Locked<CompletionToken.Completion?>(nil)
    let provider = CompletionToken { _, completion in kept.withLock { $0 = completion } }
    let waiting = Task { try await provider.token(for: aTrip()) }
    await waitUntil { kept.withLock { $0 != nil } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    kept.withLock { $0 }?("too late", nil)
  }

  @Test func deadlineOfTheCallAppliesToTheProvider() async throws {
    let kept = Locked<[CompletionToken.Completion]>([])
    let fleet = try FleetServices(
      providerID: "p", endpoint: "127.0.0.1:1",
      tokenProvider: CompletionToken { _, completion in kept.withLock { $0.append(completion) } },
      configuration: ChannelConfiguration(security: .plaintext, failFast: true))
    let name = try fleet.tripName("t1")
    // On a busy machine the deadline may pass before the provider is asked.
    while kept.withLock({ $0.isEmpty }) {
      let error = await #expect(throws: CallError.self) {
        try await fleet.tripService.getTrip(name, options: CallOptions(timeout: .milliseconds(20)))
      }
      #expect(error?.code == .deadlineExceeded)
    }
  }
}
