import Testing

@testable import Tripwire

@Suite struct JSONWebTokenTests {
  @Test func parsesHeaderClaimsAndSignature() throws {
    let token = try JSONWebToken("eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE3OTUyNTcwMDB9.c2ln")
    #expect(token.header.text("alg") == "RS256")
    #expect(token.claims.number("exp") == 1_795_257_000)
    #expect(token.signature == Array("sig".utf8))
    #expect(token.signedText == "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE3OTUyNTcwMDB9")
  }

  @Test func jsonKeepsTheTextOfNumbers() throws {
    let claims = Base64URL.encode(Array("{\"n\":1152921504606846977,\n \"m\":[1.50]}".utf8))
    let token = try JSONWebToken("e30.\(claims).c2ln")
    #expect(token.json.header == "{}")
    #expect(token.json.claims == "{\"n\":1152921504606846977,  \"m\":[1.50]}")
  }

  @Test(arguments: [
    ("{\"a\":1,\"a\":1}", "has a duplicate member"),
    ("{\"a\":1e400}", "has an invalid number"),
    ("{\"a\":\"\\ud800\"}", "has a string that is not Unicode"), ("{} x", "has text after the end"),
    ("[]", "is not a JSON object"),
  ])
  func jsonErrorsAreReported(json: String, problem: String) {
    let error = #expect(throws: JSONWebToken.Problem.self) {
      try JSONWebToken("e30.\(Base64URL.encode(Array(json.utf8))).c2ln")
    }
    #expect(error?.description == "the claims (part 2) \(problem)")
    #expect(error?.cure.contains("OAuth") == false)
  }

  @Test(arguments: [
    ("a", "OAuth"), ("ya29.a", "check the roles of the account"), ("a.b", "copy the whole token"),
    ("a.b.c.d.e", "encrypted"),
    ("!.e30.c2ln", "truncated"),
  ])
  func errorsHaveAHint(text: String, words: String) {
    let error = #expect(throws: JSONWebToken.Problem.self) { try JSONWebToken(text) }
    #expect(error?.cure.contains(words) == true)
  }

  @Test(arguments: [
    ("", "it has 1 part, expected 3 parts separated by dots"),
    ("ya29.a0.b", "it is an OAuth access token, which cannot be inspected offline"),
    ("a.b", "it has 2 parts, expected 3 parts separated by dots"),
    ("a.b.c.d", "it has 4 parts, expected 3 parts separated by dots"),
    ("!.e30.c2ln", "the header (part 1) is not base64url"),
    ("e30=.e30.c2ln", "the header (part 1) is not base64url"),
    ("aHVzaA.e30.c2ln", "the header (part 1) is not a JSON object"),
    ("e30.W10.c2ln", "the claims (part 2) is not a JSON object"),
    ("e30.e30.+", "the signature (part 3) is not base64url"),
  ])
  func invalidTokensAreReported(text: String, problem: String) {
    let error = #expect(throws: JSONWebToken.Problem.self) { try JSONWebToken(text) }
    #expect(error?.description == problem)
  }

  @Test(arguments: [0, 1, 2, 3, 256])
  func base64URLRoundTrips(count: Int) {
    let bytes = (0..<count).map { ~UInt8($0) }
    let text = Base64URL.encode(bytes)
    #expect(!text.contains { "+/=".contains($0) })
    #expect(Base64URL.decode(Substring(text)) == bytes)
  }
}
