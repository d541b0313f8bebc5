import Testing
import Tripwire
import WireProtobuf

@testable import TripwireGoogleAuth

/// The responses of a program, version 1 of Google's executable-sourced credentials.
@Suite struct SubjectTokenProgramTests {
  private func token(_ json: String, mustExpire: Bool = false) throws -> String {
    let fields = CredentialsFields(
      object: try Struct(jsonUTF8Bytes: Array(#"{"command": "/bin/idp --a b"}"#.utf8)), origin: "f")
    return try SubjectTokenProgram(fields, audience: "a", tokenType: "t", impersonationURL: nil)
      .token(in: Array(json.utf8), mustExpire: mustExpire)
  }

  @Test func tokensOfBothKinds() throws {
    #expect(try token(#"{"version": 1, "success": true, "id_token": "x"}"#) == "x")
    let saml =
      #"{"version": 1, "success": true, "token_type": "urn:ietf:params:oauth:token-type:saml2", "saml_response": "y"}"#
    #expect(try token(saml) == "y")
  }

  @Test(arguments: [
    ("", "did not write a JSON object to stdout"),
    (#"{"success": true, "id_token": "x"}"#, "wrote another version than 1"),
    (#"{"version": 2, "success": true, "id_token": "x"}"#, "wrote another version than 1"),
    (
      #"{"version": 1, "success": false, "code": "401", "message": "no"}"#,
      "was not successful: 401: no"
    ),
    (
      #"{"version": 1, "success": true, "id_token": "x", "expiration_time": 5}"#,
      "wrote a token that has expired"
    ),
    (#"{"version": 1, "success": true, "saml_response": "x"}"#, "wrote no id_token"),
  ])
  func faultsAreNamed(json: String, problem: String) {
    let error = #expect(throws: TokenError.self) { try token(json) }
    #expect("\(error?.description ?? "")" == "the token command /bin/idp \(problem)")
  }

  @Test func keptResponseNeedsAnExpiration() {
    #expect(throws: TokenError.self) {
      try token(#"{"version": 1, "success": true, "id_token": "x"}"#, mustExpire: true)
    }
  }
}
