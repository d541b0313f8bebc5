import Testing

@testable import Tripwire

@Suite(.timeLimit(.minutes(20))) struct TokenCacheTests {
  let clock = ManualTokenClock()
  let source = ScriptedTokens()
  let cache: TokenCache

  init() {
    cache = TokenCache(source, limit: 100, now: { [clock] in clock.now })
  }

  /// Returns a token that expires in an hour by default.
  func token(_ value: String, lasts seconds: Double = 3600) -> AuthToken {
    AuthToken(value, expiration: clock.now.wall + seconds)
  }

  /// Lets the cache fetch `token` for a context.
  func fill(
    _ token: AuthToken, _ context: AuthorizationContext = aTrip()
  ) async throws {
    let task = Task { try await cache.token(for: context) }
    await source.next().succeed(token)
    #expect(try await task.value == token)
  }

  // MARK: Caching

  @Test func cachesATokenForEachContext() async throws {
    #expect(try cache.current(for: aTrip("t1")) == nil)
    try await fill(token("a"), aTrip("t1"))
    try await fill(token("b"), aTrip("t2"))
    #expect(try await cache.token(for: aTrip("t1")).value == "a")
    #expect(try cache.current(for: aTrip("t2"))?.value == "b")
    #expect(source.fetched == 2)
  }

  @Test func sharedTokenIsCachedOnce() async throws {
    let source = ScriptedTokens(isShared: true)
    let cache = TokenCache(source, now: { TokenTime(wall: 0, uptime: 0) })
    let task = Task { try await cache.token(for: aTrip("t1")) }
    await source.next().succeed(AuthToken("a", expiration: 1000))
    #expect(try await task.value.value == "a")
    #expect(try cache.current(for: aTrip("t2"))?.value == "a")
  }

  @Test func tokenWithoutExpiryIsCachedForFiveMinutes() async throws {
    try await fill("opaque")
    clock.advance(by: 239)
    #expect(try cache.current(for: aTrip()) == "opaque")
    #expect(!cache.isFetching(aTrip()))
    clock.advance(by: 61)
    #expect(try cache.current(for: aTrip()) == nil)
    try await fill("another")
  }

  @Test func tokenExpiredOnArrivalIsReturnedButNotCached() async throws {
    for expiration in [0, clock.now.wall - 1] {
      try await fill(AuthToken("expired", expiration: expiration))
      #expect(try cache.current(for: aTrip()) == nil)
      #expect(cache.count == 0)
    }
  }

  @Test func fixedTokenIsAvailableAtOnce() throws {
    let cache = TokenCache(try FixedToken("fixed"))
    #expect(try cache.current(for: aTrip()) == "fixed")
    #expect(cache.count == 0)
  }

  @Test func cacheIsNotWrappedInAnother() throws {
    let fleet = try FleetServices(providerID: "p", endpoint: "unix:/none", tokenProvider: cache)
    #expect(fleet.tripService.client.tokens === cache)
  }

  // MARK: Concurrent calls

  @Test func concurrentCallsShareAFetch() async throws {
    try await withThrowingTaskGroup(of: AuthToken.self) { group in
      for _ in 0..<50 { group.addTask { try await cache.token(for: aTrip()) } }
      let fetch = await source.next()
      await waitUntil { cache.waiting(for: aTrip()) == 50 }
      fetch.succeed(token("a"))
      for try await token in group { #expect(token.value == "a") }
    }
    #expect(source.fetched == 1)
  }

  @Test func canceledCallDoesNotCancelTheFetchOfOthers() async throws {
    let first = Task { try await cache.token(for: aTrip()) }
    let fetch = await source.next()
    let second = Task { try await cache.token(for: aTrip()) }
    await waitUntil { cache.waiting(for: aTrip()) == 2 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(source.canceled == 0)
    fetch.succeed(token("a"))
    #expect(try await second.value.value == "a")
  }

  @Test func lastCanceledCallCancelsTheFetch() async throws {
    let waiters = (0..<2).map { _ in Task { try await cache.token(for: aTrip()) } }
    _ = await source.next()
    await waitUntil { cache.waiting(for: aTrip()) == 2 }
    for waiter in waiters {
      waiter.cancel()
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    await waitUntil { source.canceled == 1 }
    #expect(cache.count == 0)
    // Later calls are not affected.
    try await fill(token("a"))
  }

  @Test func canceledFetchIsNotShared() async throws {
    let source = ScriptedTokens(respondsToCancellation: false)
    let cache = TokenCache(source, now: { [clock] in clock.now })
    let first = Task { try await cache.token(for: aTrip()) }
    let uncancellable = await source.next()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task { try await cache.token(for: aTrip()) }
    let fetch = await source.next()
    uncancellable.succeed(token("late"))
    fetch.succeed(token("a"))
    #expect(try await second.value.value == "a")
    #expect(try cache.current(for: aTrip())?.value == "a")
  }

  @Test func canceledTaskFetchesNothing() async {
    let canceled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await cache.token(for: aTrip())
    }
    await #expect(throws: CancellationError.self) { try await canceled.value }
    #expect(cache.count == 0)
  }

  @Test func fetchDoesNotRunOnTheCallersExecutor() async throws {
    struct Where: AuthTokenProvider {
      func token(for context: AuthorizationContext) async throws -> AuthToken {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == nil } ? "elsewhere" : "on the executor"
      }
    }
    let channel = try Channel(target: "unix:/none")
    let value = try await Task(executorPreference: channel.executor) {
      try await TokenCache(Where()).token(for: aTrip()).value
    }.value
    #expect(value == "elsewhere")
  }

  // MARK: Failures

  /// Lets the provider fail for a context.
  private func fail(_ context: AuthorizationContext = aTrip()) async {
    let task = Task { try await cache.token(for: context) }
    await source.next().fail(TokenError.none)
    await #expect(throws: TokenError.none) { try await task.value }
  }

  @Test func failureIsRetriedAfterAPause() async throws {
    await fail()
    clock.advance(by: 2)
    try await fill(token("a"))
  }

  @Test func pauseGrowsWithConsecutiveFailures() async throws {
    var fetches = 0
    for pause in [2.0, 4, 8, 10, 10] {
      await fail()
      fetches += 1
      clock.advance(by: pause - 0.1)
      // Calls during the pause get the same error.
      await #expect(throws: TokenError.none) { try await cache.token(for: aTrip()) }
      #expect(source.fetched == fetches)
      clock.advance(by: 0.1)
    }
    try await fill(token("a", lasts: 60))
    // A success resets the pauses.
    clock.advance(by: 60)
    await fail()
    clock.advance(by: 2)
    try await fill(token("b"))
  }

  @Test func failureAppliesToItsContextOnly() async throws {
    await fail(aTrip("t1"))
    try await fill(token("a"), aTrip("t2"))
  }

  @Test func wallClockSetBackDoesNotProlongAFailure() async throws {
    await fail()
    clock.step(by: -86_400)
    clock.advance(by: 2)
    try await fill(token("a"))
  }

  @Test func oldFailuresAreRemoved() async throws {
    for index in 0..<64 { await fail(aTrip("t\(index)")) }
    clock.advance(by: 2)
    try await fill(token("a"), aTrip("new"))
    #expect(cache.count == 1)
  }

  @Test(arguments: ["", "two words", "two\nlines"])
  func invalidTokensAreRejected(value: String) async {
    let task = Task { try await cache.token(for: aTrip()) }
    await source.next().succeed(token(value))
    await #expect(throws: TokenError.self) { try await task.value }
  }

  // MARK: Refreshing

  /// Lets the cache fetch a token and, when it is about to expire, begin to renew it.
  private func beginRefresh() async throws -> ScriptedTokens.Fetch {
    try await fill(token("old"))
    clock.advance(by: 3300)
    _ = try cache.current(for: aTrip())
    return await source.next()
  }

  @Test func refreshStartsFiveMinutesBeforeExpiry() async throws {
    try await fill(token("old"))
    clock.advance(by: 3299)
    #expect(try cache.current(for: aTrip())?.value == "old")
    #expect(source.fetched == 1)
    clock.advance(by: 1)
    // No call waits for the refresh.
    #expect(try cache.current(for: aTrip())?.value == "old")
    let refresh = await source.next()
    #expect(try cache.current(for: aTrip())?.value == "old")
    #expect(source.fetched == 2)
    refresh.succeed(token("new"))
    await waitUntil { (try? cache.current(for: aTrip()))?.value == "new" }
  }

  @Test func oldTokenIsUsedWhileRefreshesFail() async throws {
    try await beginRefresh().fail(TokenError.none)
    await waitUntil { !cache.isFetching(aTrip()) }
    // The next attempt comes after a pause.
    #expect(try cache.current(for: aTrip())?.value == "old")
    #expect(source.fetched == 2)
    clock.advance(by: 10)
    #expect(try cache.current(for: aTrip())?.value == "old")
    await source.next().fail(TokenError.none)
    await waitUntil { !cache.isFetching(aTrip()) }
    // The old token expires.
    clock.advance(by: 290)
    let late = Task { try await cache.token(for: aTrip()) }
    await source.next().fail(TokenError.none)
    await #expect(throws: TokenError.none) { try await late.value }
  }

  @Test func callWaitsForTheRefreshOnceTheTokenExpires() async throws {
    let refresh = try await beginRefresh()
    clock.advance(by: 300)
    let late = Task { try await cache.token(for: aTrip()) }
    await waitUntil { cache.waiting(for: aTrip()) == 1 }
    refresh.succeed(token("new"))
    #expect(try await late.value.value == "new")
    #expect(source.fetched == 2)
  }

  /// The last fifth of the lifetime, at most five minutes.
  @Test(arguments: [
    (1.0, 0.2), (60, 12), (300, 60), (301, 60.2), (1000, 200), (1500, 300), (3600, 300),
    (86_400, 300),
    (nil, 60),
  ])
  func tokenIsRenewedBeforeItExpires(lifetime: Double?, margin: Double) async throws {
    let short = AuthToken("short", expiration: lifetime.map { clock.now.wall + $0 })
    try await fill(short)
    clock.advance(by: (lifetime ?? 300) - margin - 0.01)
    #expect(try cache.current(for: aTrip()) == short)
    #expect(!cache.isFetching(aTrip()))
    clock.advance(by: 0.02)
    #expect(try cache.current(for: aTrip()) == short)
    #expect(cache.isFetching(aTrip()))
    await source.next().succeed(token("next"))
    await waitUntil { (try? cache.current(for: aTrip()))?.value == "next" }
  }

  /// A signer may be away for some time without being missed.
  @Test func tokenMayAskForAnEarlierRenewal() async throws {
    var early = token("early")
    early.renewalMargin = 720
    try await fill(early)
    clock.advance(by: 2879)
    _ = try cache.current(for: aTrip())
    #expect(!cache.isFetching(aTrip()))
    clock.advance(by: 2)
    _ = try cache.current(for: aTrip())
    #expect(cache.isFetching(aTrip()))
    await source.next().succeed(token("next"))
  }

  /// A provider with a cache of its own returns the same token until that expires.
  @Test func sameTokenIsNotRequestedForEachCall() async throws {
    let old = token("old", lasts: 60)
    try await fill(old)
    clock.advance(by: 50)
    _ = try cache.current(for: aTrip())
    await source.next().succeed(old)
    await waitUntil { !cache.isFetching(aTrip()) }
    clock.advance(by: 7)
    #expect(try cache.current(for: aTrip()) == old)
    #expect(!cache.isFetching(aTrip()))
  }

  @Test func refreshWithoutWaitersCanBeStopped() async throws {
    _ = try await beginRefresh()
    cache.stopRefreshing(aTrip())
    await waitUntil { source.canceled == 1 }
    #expect(try cache.current(for: aTrip())?.value == "old")
  }

  @Test func releasedCacheCancelsItsRefreshes() async throws {
    weak var weakCache: TokenCache?
    do {
      let cache = TokenCache(source, now: { [clock] in clock.now })
      weakCache = cache
      let task = Task { try await cache.token(for: aTrip()) }
      await source.next().succeed(token("old"))
      _ = try await task.value
      clock.advance(by: 3300)
      _ = try cache.current(for: aTrip())
      _ = await source.next()
    }
    await waitUntil { weakCache == nil }
    await waitUntil { source.canceled == 1 }
  }

  // MARK: Memory

  @Test func expiredTokensAreRemoved() async throws {
    for index in 0..<64 { try await fill(token("a", lasts: 600), aTrip("t\(index)")) }
    #expect(cache.count == 64)
    clock.advance(by: 600)
    try await fill(token("b"), aTrip("new"))
    #expect(cache.count == 1)
  }

  @Test func fullCacheDropsTheTokensThatExpireFirst() async throws {
    for index in 0..<150 {
      try await fill(token("a", lasts: 600 + Double(index)), aTrip("t\(index)"))
      #expect(cache.count <= 100)
    }
    #expect(try cache.current(for: aTrip("t149")) != nil)
    #expect(try cache.current(for: aTrip("t0")) == nil)
  }

  // MARK: Descriptions

  @Test func tokensAreNotPrinted() async throws {
    try await fill(token("hush"))
    var dumped = ""
    dump(cache, to: &dumped)
    dump(token("hush"), to: &dumped)
    let texts = ["\(cache)", String(reflecting: cache), "\(token("hush"))"]
    for text in texts + [String(reflecting: token("hush")), dumped] {
      #expect(!text.contains("hush"), "\(text)")
    }
  }
}
