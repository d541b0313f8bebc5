import Testing

@testable import Tripwire

@Suite struct TokenExpiryTests {
  private let now = 1_795_253_400.0

  private func token(_ json: String, _ expiry: TokenExpiry) throws(TokenError) -> AuthToken {
    try AuthToken(json: Array(json.utf8), token: "jwt", expiry, now: now)
  }

  @Test(arguments: [
    (TokenExpiry.secondsSince1970("exp"), "1795257000"),
    (.millisecondsSince1970("exp"), "1795257000000"),
    (.secondsFromNow("exp"), "3600"), (.secondsFromNow("exp"), "\"3600\""),
    (.millisecondsFromNow("exp"), "3600000"),
    (.rfc3339("exp"), "\"2026-11-21T10:30:00Z\""),
  ])
  func parsesTheConfiguredField(expiry: TokenExpiry, value: String) throws {
    let token = try token("{\"jwt\": \"abc\", \"exp\": \(value)}", expiry)
    #expect(token.value == "abc")
    #expect(token.expiration == 1_795_257_000)
  }

  @Test func unstatedExpiryIsNil() throws {
    #expect(try token("{\"jwt\": \"abc\", \"exp\": 17}", .unstated).expiration == nil)
  }

  @Test(arguments: [
    // Google's samples use the same field as a time and as a duration.
    (
      TokenExpiry.secondsSince1970("exp"), "3600",
      "the field exp is a lifetime, expected a time since 1970"
    ),
    (.secondsSince1970("exp"), "1795257000000", "is in milliseconds, expected seconds"),
    (
      .millisecondsSince1970("exp"), "3600000",
      "the field exp is a lifetime, expected a time since 1970"
    ),
    (.millisecondsSince1970("exp"), "1795257000", "is in seconds, expected milliseconds"),
    (.secondsFromNow("exp"), "1795257000", "is a time since 1970, expected a lifetime"),
    (.millisecondsFromNow("exp"), "1795257000000", "is a time since 1970, expected a lifetime"),
    (.millisecondsFromNow("exp"), "1795257000", "is a time since 1970, expected a lifetime"),
    (.secondsFromNow("exp"), "-5", "the field exp is negative"),
    (.millisecondsFromNow("exp"), "-5", "the field exp is negative"),
    (.secondsSince1970("exp"), "-5", "the field exp is negative"),
    (.secondsFromNow("exp"), "1e308", "is out of range"),
    (.millisecondsSince1970("exp"), "1e308", "is out of range"),
    (.rfc3339("exp"), "\"tomorrow\"", "the field exp is missing or not an RFC 3339 time"),
    (.rfc3339("exp"), "17", "the field exp is missing or not an RFC 3339 time"),
    (.secondsFromNow("exp"), "\"1h\"", "the field exp is not a number"),
    (.secondsFromNow("other"), "1", "the field other is missing"),
  ])
  func implausibleExpiryIsRejected(expiry: TokenExpiry, value: String, words: String) {
    let error = #expect(throws: TokenError.self) {
      try token("{\"jwt\": \"abc\", \"exp\": \(value)}", expiry)
    }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test(arguments: ["", "[]", "{\"jwt\": 17}", "{}", "{\"jwt\": \"\"}", "{\"jwt\": \"hush hush\"}"])
  func responseWithoutATokenIsRejectedWithoutBeingPrinted(json: String) {
    let error = #expect(throws: TokenError.self) { try token(json, .unstated) }
    #expect(error?.description.contains("hush") == false)
  }
}
