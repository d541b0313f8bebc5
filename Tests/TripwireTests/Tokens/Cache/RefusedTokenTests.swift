import TestSupport
import Testing
import WireSystem

@testable import Tripwire

@Suite(.timeLimit(.minutes(4))) struct RefusedTokenTests {
  private let clock = ManualTokenClock()
  private let source = ScriptedTokens()
  private let cache: TokenCache

  init() {
    cache = TokenCache(source, limit: 100, now: { [clock] in clock.now })
  }

  private func refuse(_ token: AuthToken, _ context: AuthorizationContext = aTrip()) {
    cache.refuse(token, because: "it is stale", for: context)
  }

  /// Returns the result of a call whose provider returns `token`.
  private func fetchToken(
    _ token: AuthToken, _ context: AuthorizationContext = aTrip()
  ) async throws -> AuthToken {
    async let result = cache.token(for: context)
    await source.next().succeed(token)
    return try await result
  }

  /// Returns the error of a call that fails without a fetch.
  private func failure(
    _ cache: TokenCache, _ context: AuthorizationContext = aTrip()
  ) async -> TokenError? {
    await #expect(throws: TokenError.self) { try await cache.token(for: context) }
  }

  /// Returns the error of a call whose provider returns a refused token.
  private func failure(after token: AuthToken) async -> TokenError? {
    await #expect(throws: TokenError.self) { try await fetchToken(token) }
  }

  // MARK: Providers with several tokens

  @Test func requestsAnotherTokenAtOnce() async throws {
    _ = try await fetchToken("a")
    refuse("a")
    #expect(try cache.current(for: aTrip()) == nil)
    #expect(try await fetchToken("b") == "b")
    #expect(try cache.current(for: aTrip()) == "b")
  }

  @Test func concurrentRefusalsCauseOneFetch() async throws {
    _ = try await fetchToken("a")
    try await withThrowingTaskGroup(of: AuthToken.self) { group in
      for _ in 0..<50 {
        group.addTask {
          refuse("a")
          return try await cache.token(for: aTrip())
        }
      }
      let fetch = await source.next()
      await waitUntil { cache.waiting(for: aTrip()) == 50 }
      fetch.succeed("b")
      for try await token in group { #expect(token == "b") }
    }
    // A late refusal concerns the old token.
    refuse("a")
    #expect(try cache.current(for: aTrip()) == "b")
    #expect(source.fetched == 2)
  }

  @Test func sameTokenIsSentAgainWithGrowingDelays() async throws {
    _ = try await fetchToken("a")
    refuse("a")
    _ = await failure(after: "a")
    var fetches = 2
    for pause in [2.0, 4, 8, 16, 32, 60, 60] {
      #expect(
        await failure(cache)
          == .refused(
            reason:
              "the server refused the token (\"it is stale\"), and the token provider returned"
              + " the same token again; retry in \(Int(pause)) s",
            retryAfter: .seconds(pause), isOnly: false))
      clock.advance(by: pause - 0.1)
      #expect(try cache.current(for: aTrip()) == nil)
      #expect(await failure(cache)?.description.hasSuffix("retry in 1 s") == true)
      #expect(source.fetched == fetches)
      clock.advance(by: 0.1)
      #expect(try cache.current(for: aTrip()) == nil)
      #expect(try await fetchToken("a") == "a")
      fetches += 1
      // Other calls send it, too, until it is refused again.
      #expect(try cache.current(for: aTrip()) == "a")
      refuse("a")
      refuse("a")
    }
    clock.advance(by: 60)
    #expect(try await fetchToken("b") == "b")
    #expect(try cache.current(for: aTrip()) == "b")
  }

  @Test func delayGrowsWhileNewTokensAreRefused() async throws {
    _ = try await fetchToken("a")
    refuse("a")
    #expect(try await fetchToken("b") == "b")
    refuse("b")
    let error = await failure(cache)
    #expect(
      error?.description
        == "the server refused the token (\"it is stale\"); retry with another token in 2 s")
    clock.advance(by: 2)
    #expect(try await fetchToken("c") == "c")
    refuse("c")
    #expect(await failure(cache)?.description.hasSuffix("retry with another token in 4 s") == true)
  }

  @Test func acceptedTokenResetsTheDelay() async throws {
    _ = try await fetchToken("a")
    refuse("a")
    #expect(try await fetchToken("b") == "b")
    clock.advance(by: 62)
    refuse("b")
    #expect(try await fetchToken("c") == "c")
  }

  /// A response may take longer than the delay.
  @Test func lateRefusalDelaysTheTokenAgain() async throws {
    _ = try await fetchToken("a")
    refuse("a")
    _ = await failure(after: "a")
    clock.advance(by: 2)
    #expect(try await fetchToken("a") == "a")
    clock.advance(by: 5)
    refuse("a")
    _ = await failure(after: "a")
    clock.advance(by: 8)
    #expect(try await fetchToken("a") == "a")
  }

  @Test func providerErrorIsReported() async throws {
    _ = try await fetchToken("a")
    refuse("a")
    let task = Task { try await cache.token(for: aTrip()) }
    await source.next().fail(TokenError.none)
    await #expect(throws: TokenError.none) { try await task.value }
    // A provider that fails is retried as usual.
    clock.advance(by: 2)
    #expect(try await fetchToken("b") == "b")
  }

  @Test func refusalsApplyToUncachedTokens() async throws {
    let first = try await fetchToken(AuthToken("a", expiration: 0))
    refuse(first)
    let second = try await fetchToken(AuthToken("b", expiration: 0))
    #expect(second.value == "b")
    refuse(second)
    #expect(await failure(cache)?.description.hasSuffix("retry with another token in 2 s") == true)
    #expect(source.fetched == 2)
  }

  @Test func refusalOfASharedTokenAppliesToOneTrip() async throws {
    let source = ScriptedTokens(isShared: true)
    let cache = TokenCache(source, now: { [clock] in clock.now })
    let task = Task { try await cache.token(for: aTrip("t1")) }
    await source.next().succeed("a")
    _ = try await task.value
    cache.refuse("a", because: "", for: aTrip("t2"))
    #expect(try cache.current(for: aTrip("t1")) == "a")
    let other = Task { try await cache.token(for: aTrip("t2")) }
    await source.next().succeed("a")
    await #expect(throws: TokenError.self) { try await other.value }
    #expect(try cache.current(for: aTrip("t1")) == "a")
  }

  @Test func heldBackTokensAreReported() async throws {
    let reported = Locked<[String]>([])
    let cache = TokenCache(
      source, now: { [clock] in clock.now },
      report: { error in reported.withLock { $0.append(error.description) } })
    let task = Task { try await cache.token(for: aTrip()) }
    await source.next().succeed("a")
    _ = try await task.value
    cache.refuse("a", because: "", for: aTrip())
    let again = Task { try await cache.token(for: aTrip()) }
    await source.next().succeed("a")
    await #expect(throws: TokenError.self) { try await again.value }
    #expect(
      reported.withLock { $0 } == [
        "the server refused the token, and the token provider returned the same token again;"
          + " retry in 2 s"
      ])
  }

  @Test func expiredRefusalsAreRemoved() async throws {
    for index in 0..<64 {
      _ = try await fetchToken(AuthToken("a", expiration: 0), aTrip("t\(index)"))
      refuse("a", aTrip("t\(index)"))
    }
    #expect(cache.count == 64)
    clock.advance(by: 300)
    _ = try await fetchToken("b", aTrip("new"))
    #expect(cache.count == 1)
  }

  // MARK: Providers with one token

  @Test func fixedTokenIsRetriedWithGrowingDelays() async throws {
    let cache = TokenCache(try FixedToken("a"), now: { [clock] in clock.now })
    for pause in [2.0, 4, 8, 16, 32, 60, 60] {
      #expect(try await cache.token(for: aTrip()) == "a")
      cache.refuse("a", because: "it is stale", for: aTrip())
      cache.refuse("a", because: "it is stale", for: aTrip())
      #expect(
        await failure(cache)
          == .refused(
            reason: "the server refused the token (\"it is stale\"), and there is no other token;"
              + " retry in \(Int(pause)) s", retryAfter: .seconds(pause), isOnly: true))
      clock.advance(by: pause)
    }
    // The server accepted it for a minute.
    clock.advance(by: 60)
    cache.refuse("a", because: "", for: aTrip())
    #expect(await failure(cache)?.description.hasSuffix("retry in 2 s") == true)
    #expect(try cache.current(for: aTrip("t2")) == "a")
  }

  @Test func changedFileClearsTheRefusal() async throws {
    try withTemporaryFile("a".utf8) { path in
      let cache = TokenCache(FileToken(path: path), now: { [clock] in clock.now })
      #expect(try cache.current(for: aTrip()) == "a")
      cache.refuse("a", because: "", for: aTrip())
      let refused = TokenError.refused(
        reason: "the server refused the token, and \(path) has not changed",
        retryAfter: nil, isOnly: false)
      #expect(throws: refused) { try cache.current(for: aTrip()) }
      try appendToFile(path, "b".utf8)
      #expect(try cache.current(for: aTrip()) == "ab")
    }
  }

  @Test func unchangedFileIsRetriedWithGrowingDelays() async throws {
    try withTemporaryFile("a".utf8) { path throws in
      let cache = TokenCache(FileToken(path: path), now: { [clock] in clock.now })
      for pause in [2.0, 4, 8, 16, 32, 60, 60] {
        #expect(try cache.current(for: aTrip()) == "a")
        cache.refuse("a", because: "", for: aTrip())
        clock.advance(by: pause - 0.1)
        #expect(throws: TokenError.self) { _ = try cache.current(for: aTrip()) }
        clock.advance(by: 0.1)
      }
    }
  }
}
