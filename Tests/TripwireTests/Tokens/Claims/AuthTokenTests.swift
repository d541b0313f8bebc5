import Testing

@testable import Tripwire

@Suite struct AuthTokenTests {
  /// With `exp` 1795257000.
  private let jwt =
    "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE3OTUyNTcwMDB9.c2ln"

  @Test func expirationComesFromTheJWT() {
    #expect(AuthToken(jwt).expiration == 1_795_257_000)
  }

  @Test(arguments: [
    (1_795_256_000.0, 1_795_256_000.0), (1_795_258_000, 1_795_257_000), (nil, 1_795_257_000),
  ])
  func earlierExpirationCounts(stated: Double?, expiration: Double) {
    #expect(AuthToken(jwt, expiration: stated).expiration == expiration)
  }

  @Test(arguments: [
    "", "opaque", "ya29.a0.b", "a.b", "a.b.c.d", "..", "eyJhbGciOiJSUzI1NiJ9.e30.c2ln",
    // exp is a string.
    "e30.eyJleHAiOiIxIn0.c2ln",
    // Padded, and with the base64 alphabet instead of base64url.
    "e30.eyJleHAiOjF9==.c2ln", "e30.+/+/.c2ln",
  ])
  func otherTokensHaveNoExpiration(value: String) {
    #expect(AuthToken(value).expiration == nil)
    #expect(AuthToken(value, expiration: 7).expiration == 7)
  }

  @Test func nanIsIgnored() {
    #expect(AuthToken("opaque", expiration: .nan).expiration == nil)
    #expect(AuthToken(jwt, expiration: .nan).expiration == 1_795_257_000)
  }

  @Test func tokenIsExpressibleByALiteral() {
    let token: AuthToken = "abc"
    #expect(token.value == "abc")
  }
}
