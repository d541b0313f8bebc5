import Testing
import WireGRPC
import WireGRPCClient

@testable import Tripwire

@Suite(.timeLimit(.minutes(20))) struct AuthorizedCallTests {
  private let source = ScriptedTokens()
  private let cache: TokenCache
  private let channel: Channel

  init() throws {
    cache = TokenCache(source)
    channel = try Channel(target: "unix:/none")
  }

  /// As the server refuses a token.
  private let refusal = CallError(
    code: .unauthenticated, message: "stale", origin: .server, attempts: 1, peer: "a:1", path: "/m")

  /// A call with the token "a".
  private func call(_ options: CallOptions = CallOptions()) async throws -> AuthorizedCall {
    let got = Task { try await cache.token(for: aTrip()) }
    await source.next().answer("a")
    _ = try await got.value
    return AuthorizedCall(options, tokens: cache, on: channel, for: aTrip())
  }

  private func authorization(_ call: AuthorizedCall) -> String? {
    call.options.metadata["authorization"]
  }

  /// What a call ends with that is not made again.
  private func end(of call: AuthorizedCall, after error: CallError) async -> CallError? {
    var call = call
    do throws(CallError) {
      try await call.retry(after: error)
      return nil
    } catch {
      return error
    }
  }

  /// Has a call made again while the provider does as it is told; what the call ends with, if it does.
  private func retry(
    _ call: inout AuthorizedCall, after error: CallError,
    _ answer: @escaping @Sendable (ScriptedTokens.Fetch) -> Void
  ) async throws -> CallError? {
    async let answered: Void = answer(source.next())
    var failure: CallError?
    do throws(CallError) {
      try await call.retry(after: error)
    } catch {
      failure = error
    }
    await answered
    return failure
  }

  @Test func isMadeOnceMoreWithAnotherToken() async throws {
    var call = try await call(CallOptions(timeout: .seconds(3600)))
    #expect(authorization(call) == "Bearer a")
    #expect(call.earlierAttempts == 0)
    #expect(try await retry(&call, after: refusal) { $0.answer("b") } == nil)
    #expect(authorization(call) == "Bearer b")
    #expect(call.earlierAttempts == 1)
    #expect(try #require(call.options.timeout) < .seconds(3600))
    let last = await end(of: call, after: refusal)
    #expect(last?.attempts == 2)
    #expect(last?.earlierAttempts.map(\.code) == [.unauthenticated])
    #expect(source.fetched == 2)
  }

  @Test func isNotMadeAgainWhenItFailedForAnotherReason() async throws {
    var denied = refusal
    denied.code = .permissionDenied
    var local = refusal
    local.origin = .local
    let call = try await call()
    #expect(await end(of: call, after: denied) == denied)
    #expect(await end(of: call, after: local) == local)
  }

  @Test func isNotMadeAgainWithATokenOfItsOwn() async throws {
    var options = CallOptions()
    try options.metadata.append("authorization", "Bearer own")
    let call = try await call(options)
    #expect(authorization(call) == "Bearer own")
    #expect(await end(of: call, after: refusal) == refusal)
    #expect(source.fetched == 1)
  }

  @Test func saysWhyThereIsNoOtherToken() async throws {
    var call = try await call()
    let error = try await retry(&call, after: refusal) { $0.fail(TokenError.none) }
    #expect(error?.code == .unauthenticated)
    #expect(error?.message.hasPrefix("stale (no other token is available: ") == true)
    #expect(error?.underlyingError as? TokenError == TokenError.none)
    #expect(error?.attempts == 1)
  }

  @Test func fallsBackOnTheRefusalWhenTheSameTokenComesAgain() async throws {
    var call = try await call()
    let error = try await retry(&call, after: refusal) { $0.answer("a") }
    #expect(error == refusal)
    #expect(error?.refusedToken?.description.hasSuffix("retry in 2 s") == true)
    #expect(call.earlierAttempts == 0)
  }

  /// The provider of a refused token has not failed, unlike one that has none.
  @Test func failsUnsentWithARefusedToken() async throws {
    let cache = TokenCache(try FixedToken("a"))
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

  @Test func waitsForAnotherTokenNoLongerThanItsDeadline() async throws {
    let call = try await call(CallOptions(timeout: .milliseconds(50)))
    let error = await end(of: call, after: refusal)
    #expect(error?.code == .unauthenticated)
    #expect(error?.message.contains("the deadline passed") == true)
  }
}
