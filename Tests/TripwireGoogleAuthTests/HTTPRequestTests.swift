import Testing

@testable import TripwireGoogleAuth

@Suite struct HTTPRequestTests {
  @Test func formEscapesAllButUnreservedCharacters() {
    let request = HTTPRequest(
      "https://a/token", form: [("a b", "1//x+y&z=ü"), ("none", nil), ("c", "-._~")])
    #expect(
      request.body
        == "a%20b=1%2F%2Fx%2By%26z%3D%C3%BC&c=-._~")
    #expect(request.headers.map(\.value) == ["application/x-www-form-urlencoded"])
  }

  @Test(arguments: [
    ("https://a.example/t?key=secret", "https://a.example/t"),
    ("https://user:pass@a.example:1/t#f", "https://a.example:1/t"),
    ("http://[::1]:8/t", "http://[::1]:8/t"), ("nonsense@x", "nonsense@x"),
    ("https://u@h/v1/a@b:generate?x=@", "https://h/v1/a@b:generate"), ("https://h?@a", "https://h"),
  ])
  func shownURLHasNoSecret(url: String, place: String) {
    #expect(HTTPRequest(url).shownURL == place)
  }

  @Test(arguments: [
    ("http://127.0.0.1:80/t", true), ("http://localhost/t", true), ("http://[::1]:9/t", true),
    ("http://localhost.evil.example/t", false), ("http://127.0.0.1@evil.example/t", false),
    ("http://evil.example/127.0.0.1", false), ("http:///t", false), ("", false),
  ])
  func knowsThisMachine(url: String, isOnThisMachine: Bool) {
    #expect(HTTPRequest(url).isOnThisMachine == isOnThisMachine)
  }

  @Test func headersAreFoundInAnyCase() {
    let response = HTTPResponse(
      status: 200, headers: ["HTTP/1.1 200 OK", "METADATA-Flavor: Google", "", "x"])
    #expect(response.header("metadata-flavor") == "Google")
    #expect(response.header("x") == nil)
  }
}
