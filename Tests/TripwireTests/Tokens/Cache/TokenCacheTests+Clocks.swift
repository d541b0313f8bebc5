import Testing

@testable import Tripwire

extension TokenCacheTests {
  /// An unsigned JWT.
  private func jwt(issued: Double, lasts seconds: Double = 3600) -> AuthToken {
    let claims = "{\"iat\":\(Int64(issued)),\"exp\":\(Int64(issued + seconds))}"
    return AuthToken("eyJhbGciOiJub25lIn0.\(Base64URL.encode(Array(claims.utf8))).c2ln")
  }

  @Test func wallClockSetBackRenewsAFutureToken() async throws {
    let token = jwt(issued: clock.now.wall)
    try await fill(token)
    clock.step(by: -600)
    #expect(try cache.current(for: aTrip()) == token)
    clock.step(by: -1)
    #expect(try cache.current(for: aTrip()) == nil)
    try await fill(jwt(issued: clock.now.wall))
    #expect(try cache.current(for: aTrip()) != nil)
  }

  /// On a machine whose clock is slow, a new token would also be issued in the future.
  @Test func tokenIssuedInTheFutureOnArrivalIsCached() async throws {
    let token = jwt(issued: clock.now.wall + 3000)
    try await fill(token)
    #expect(try cache.current(for: aTrip()) == token)
    clock.step(by: -10)
    #expect(try cache.current(for: aTrip()) == token)
  }

  @Test(arguments: [300.0, nil])
  func wallClockSetBackDoesNotProlongAToken(lifetime: Double?) async throws {
    try await fill(AuthToken("a", expiration: lifetime.map { clock.now.wall + $0 }))
    clock.step(by: -86_400)
    clock.advance(by: 299)
    #expect(try cache.current(for: aTrip())?.value == "a")
    clock.advance(by: 1)
    #expect(try cache.current(for: aTrip()) == nil)
  }

  @Test func wallClockSetForwardRenewsAToken() async throws {
    try await fill(token("a"))
    clock.step(by: 3600)
    #expect(try cache.current(for: aTrip()) == nil)
  }
}
