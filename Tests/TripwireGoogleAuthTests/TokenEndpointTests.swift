import Testing
import WireProtobuf

@testable import TripwireGoogleAuth

@Suite struct TokenEndpointTests {
  @Test(arguments: [
    (408, "", true), (429, "{}", true), (500, "", true), (503, "x", true), (504, "", true),
    (400, #"{"error": "temporarily_unavailable"}"#, true),
    (400, #"{"error": "x", "error_description": "internal_failure"}"#, true),
    (400, #"{"error": "invalid_grant"}"#, false), (401, "server_error", false),
    (403, #"{"error": {"status": "server_error"}}"#, false),
    (200, #"{"error": "server_error"}"#, false), (502, "", false),
  ])
  func overloadedServersAreAskedAgain(status: Int, body: String, isOverloaded: Bool) {
    let response = HTTPResponse(status: status, body: Array(body.utf8))
    #expect(TokenEndpoint.isOverloaded(response) == isOverloaded)
  }

  @Test func pausesDouble() {
    #expect(TokenEndpoint.pause(after: 1, random: 0) == .seconds(1))
    #expect(TokenEndpoint.pause(after: 2, random: -0.1) == .seconds(1.8))
    #expect(TokenEndpoint.pause(after: 4, random: 0.1) == .seconds(8.8))
  }

  @Test(arguments: [
    ("https://a.example/t", true, true), ("HTTPS://a.example/t", true, true),
    ("http://127.0.0.1:1/t", true, true), ("http://a.example/t", true, false),
    ("http://a.example/t", false, true), ("file:///etc/passwd", false, false),
    ("ftp://a/t", true, false), ("a.example/t", false, false),
  ])
  func credentialsNeedTLS(url: String, hasBody: Bool, isSafe: Bool) {
    var request = HTTPRequest(url)
    request.body = hasBody ? "" : nil
    #expect(TokenEndpoint.isSafe(request) == isSafe)
  }

  @Test(arguments: [
    (
      #"{"error": "invalid_grant", "error_description": "expired\nor revoked"}"#,
      "invalid_grant: expired or revoked"
    ),
    (
      #"{"error": {"code": 403, "message": "no", "status": "PERMISSION_DENIED"}}"#,
      "PERMISSION_DENIED: no"
    ),
    (#"{"error": "bad token=1//0aBcDeFg"}"#, "bad token=***"), ("{}", nil),
  ])
  func reasonsAreOnOneLineWithoutSecrets(json: String, reason: String?) throws {
    let object = try Struct(jsonUTF8Bytes: Array(json.utf8))
    #expect(TokenEndpoint.reason(in: object) == reason)
  }
}
