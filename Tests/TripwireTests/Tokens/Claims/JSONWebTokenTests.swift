import Testing

@testable import Tripwire

@Suite struct JSONWebTokenTests {
  @Test func takesATokenApart() throws {
    let token = try JSONWebToken("eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE3OTUyNTcwMDB9.c2ln")
    #expect(token.header.text("alg") == "RS256")
    #expect(token.claims.number("exp") == 1_795_257_000)
    #expect(token.signature == Array("sig".utf8))
    #expect(token.signedText == "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE3OTUyNTcwMDB9")
  }

  @Test func hasTheTextOfItsNumbers() throws {
    let claims = Base64URL.encode(Array("{\"n\":1152921504606846977,\n \"m\":[1.50]}".utf8))
    let token = try JSONWebToken("e30.\(claims).c2ln")
    #expect(token.json.header == "{}")
    #expect(token.json.claims == "{\"n\":1152921504606846977,  \"m\":[1.50]}")
  }

  @Test(arguments: [
    ("{\"a\":1,\"a\":1}", "has a member twice"),
    ("{\"a\":1e400}", "has a number that JSON or a double has not"),
    ("{\"a\":\"\\ud800\"}", "has a string that is no Unicode"), ("{} x", "has text after its end"),
    ("[]", "is not a JSON object"),
  ])
  func saysWhatIsWrongWithTheJSON(json: String, problem: String) {
    let error = #expect(throws: JSONWebToken.Problem.self) {
      try JSONWebToken("e30.\(Base64URL.encode(Array(json.utf8))).c2ln")
    }
    #expect(error?.description == "its second part, the claims, \(problem)")
    #expect(error?.cure.contains("OAuth") == false)
  }

  @Test(arguments: [
    ("a", "OAuth"), ("ya29.a", "nothing in it to inspect offline"), ("a.b", "copy all of it"),
    ("a.b.c.d.e", "encrypted JWT"),
    ("!.e30.c2ln", "cut on the way"),
  ])
  func saysWhatToDoAboutIt(text: String, words: String) {
    let error = #expect(throws: JSONWebToken.Problem.self) { try JSONWebToken(text) }
    #expect(error?.cure.contains(words) == true)
  }

  @Test(arguments: [
    ("", "it has 1 part with dots between them, and a JWT has 3"),
    ("ya29.a0.b", "it is an OAuth access token, which Fleet Engine takes, too"),
    ("a.b", "it has 2 parts with dots between them, and a JWT has 3"),
    ("a.b.c.d", "it has 4 parts with dots between them, and a JWT has 3"),
    ("!.e30.c2ln", "its first part, the header, is not base64url"),
    ("e30=.e30.c2ln", "its first part, the header, is not base64url"),
    ("aHVzaA.e30.c2ln", "its first part, the header, is not a JSON object"),
    ("e30.W10.c2ln", "its second part, the claims, is not a JSON object"),
    ("e30.e30.+", "its third part, the signature, is not base64url"),
  ])
  func saysWhyATextIsNone(text: String, problem: String) {
    let error = #expect(throws: JSONWebToken.Problem.self) { try JSONWebToken(text) }
    #expect(error?.description == problem)
  }

  @Test(arguments: [0, 1, 2, 3, 256])
  func readsBackWhatItWrites(count: Int) {
    let bytes = (0..<count).map { ~UInt8($0) }
    let text = Base64URL.encode(bytes)
    #expect(!text.contains { "+/=".contains($0) })
    #expect(Base64URL.decode(Substring(text)) == bytes)
  }
}
