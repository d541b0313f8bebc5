import Testing
import WireGRPC
import WireGRPCClient

@testable import Tripwire

@Suite(.timeLimit(.minutes(20))) struct WithTokenTests {
  private let clock = ManualTokenClock()
  private let source = ScriptedTokens()
  private let cache: TokenCache
  private let channel: Channel

  init() throws {
    channel = try Channel(target: "unix:/none")
    cache = TokenCache(source, now: { [clock] in clock.now })
  }

  /// The error with which the server refuses a token.
  private let refusal = CallError(
    code: .unauthenticated, message: "stale", origin: .server, attempts: 1, peer: "a:1", path: "/m")

  /// The attempts of a call, and its error.
  private struct Outcome {
    var attempts: [AuthorizedAttempt] = []
    var error: CallError?

    var authorizations: [String?] { attempts.map { $0.options.metadata["authorization"] } }
  }

  /// Makes a call whose attempts fail with `errors` in order and succeed afterwards. The provider
  /// first returns the token "a"; `completion` completes its second fetch.
  private func call(
    _ options: CallOptions = CallOptions(), failing errors: CallError...,
    completion: (@Sendable (ScriptedTokens.Fetch) -> Void)? = nil
  ) async throws -> Outcome {
    let task = Task { try await cache.token(for: aTrip()) }
    await source.next().succeed("a")
    _ = try await task.value
    async let completed: Void? = completion?(source.next())
    var outcome = Outcome()
    do throws(CallError) {
      try await withToken(of: cache, on: channel, for: aTrip(), options) {
        attempt throws(CallError) in
        outcome.attempts.append(attempt)
        if outcome.attempts.count <= errors.count { throw errors[outcome.attempts.count - 1] }
      }
    } catch {
      outcome.error = error
    }
    if completion != nil { await completed }
    return outcome
  }

  @Test func refusedCallIsRepeatedWithAnotherToken() async throws {
    let outcome = try await call(CallOptions(timeout: .seconds(3600)), failing: refusal) {
      $0.succeed("b")
    }
    #expect(outcome.error == nil)
    #expect(outcome.authorizations == ["Bearer a", "Bearer b"])
    #expect(outcome.attempts.map(\.earlierAttempts) == [0, 1])
    #expect(outcome.attempts.first?.options.timeout == .seconds(3600))
    #expect(try #require(outcome.attempts.last?.options.timeout) < .seconds(3600))
    #expect(source.fetched == 2)
  }

  @Test func refusedCallIsRepeatedOnce() async throws {
    let outcome = try await call(failing: refusal, refusal) { $0.succeed("b") }
    #expect(outcome.error?.attempts == 2)
    #expect(outcome.error?.earlierAttempts.map(\.code) == [.unauthenticated])
    #expect(outcome.attempts.count == 2)
    #expect(source.fetched == 2)
  }

  @Test func otherErrorsAreNotRepeated() async throws {
    var denied = refusal
    denied.code = .permissionDenied
    var local = refusal
    local.origin = .local
    for error in [denied, local] {
      let outcome = try await WithTokenTests().call(failing: error)
      #expect(outcome.error == error)
      #expect(outcome.attempts.count == 1)
    }
  }

  @Test func callWithItsOwnTokenIsNotRepeated() async throws {
    var options = CallOptions()
    try options.metadata.append("authorization", "Bearer own")
    let outcome = try await call(options, failing: refusal)
    #expect(outcome.authorizations == ["Bearer own"])
    #expect(outcome.error == refusal)
    #expect(source.fetched == 1)
  }

  @Test func errorNamesTheMissingToken() async throws {
    let error = try await call(failing: refusal) { $0.fail(TokenError.none) }.error
    #expect(error?.code == .unauthenticated)
    #expect(error?.message.hasPrefix("stale (no other token is available: ") == true)
    #expect(error?.underlyingError as? TokenError == TokenError.none)
    #expect(error?.attempts == 1)
  }

  @Test func sameTokenIsNotSentAgain() async throws {
    let outcome = try await call(failing: refusal) { $0.succeed("a") }
    #expect(outcome.error == refusal)
    #expect(outcome.error?.refusedToken?.description.hasSuffix("retry in 2 s") == true)
    #expect(outcome.attempts.count == 1)
  }

  /// The channel fails the call, so that its interceptors are notified.
  @Test func interceptorsSeeACallWithoutAToken() async throws {
    async let failed: Void = source.next().fail(TokenError.none)
    var attempts: [AuthorizedAttempt] = []
    try await withToken(of: cache, on: channel, for: aTrip(), CallOptions()) { attempt in
      attempts.append(attempt)
    }
    await failed
    #expect(attempts.count == 1)
    #expect(attempts.first?.refusal?.code == .unauthenticated)
    #expect(attempts.first?.options.metadata.isEmpty == true)
  }

  /// The error names the refusal, not a failure of the provider.
  @Test func callWithARefusedTokenIsNotSent() async throws {
    let cache = TokenCache(try FixedToken("a"), now: { [clock] in clock.now })
    cache.refuse("a", because: "stale", for: aTrip())
    let fleet = try FleetServices(providerID: "p", endpoint: "unix:/none", tokenProvider: cache)
    let error = await #expect(throws: CallError.self) {
      try await fleet.tripService.getTrip(fleet.tripName("t1"))
    }
    #expect(error?.code == .unauthenticated)
    #expect(error?.origin == .local)
    #expect(error?.attempts == 0)
    #expect(
      error?.message == "the server refused the token (\"stale\"), and there is no other token;"
        + " retry in 2 s")
  }

  @Test func deadlineLimitsTheWaitForAnotherToken() async throws {
    let error = try await call(
      CallOptions(timeout: .milliseconds(50)), failing: refusal, completion: { _ in }
    ).error
    #expect(error?.code == .unauthenticated)
    #expect(error?.message.contains("the deadline passed") == true)
  }
}
