import Testing
import Tripwire

@testable import TripwireGoogleAuth

@Suite struct CredentialsFileTests {
  private func credentials(_ json: String) throws(TokenError) -> any GoogleCredentials {
    try CredentialsFile.credentials(json: Array(json.utf8), origin: "adc.json")
  }

  @Test(arguments: [
    ("", "the file is empty"), ("[]", "not a JSON object"), ("{", "unexpected end of JSON"),
    ("{}", "the field type is missing"), (#"{"type": 1}"#, "the field type is missing"),
    (#"{"type": "secret"}"#, "the field type has an unknown value"),
    (#"{"type": "authorized_user"}"#, "the field client_id is missing, empty or not a string"),
    (
      #"{"type": "authorized_user", "client_id": "secret", "client_secret": "secret"}"#,
      "the field refresh_token is missing, empty or not a string"
    ),
    (
      #"{"type": "authorized_user", "client_id": "secret", "client_secret": 7}"#,
      "the field client_secret is missing, empty or not a string"
    ),
    (#"{"type": "service_account"}"#, "the field client_email is missing"),
    (
      #"{"type": "impersonated_service_account"}"#,
      "the field source_credentials is missing or not an object"
    ),
    (
      #"{"type": "impersonated_service_account", "source_credentials": {"type": "impersonated_service_account"}}"#,
      "the type of source_credentials must not be impersonated_service_account"
    ),
    (#"{"type": "external_account"}"#, "the field audience is missing"),
    (
      #"{"type": "external_account", "audience": "a", "subject_token_type": "t"}"#,
      "the field credential_source is missing or not an object"
    ),
    (
      #"{"type": "external_account", "audience": "a", "subject_token_type": "t", "credential_source": {"environment_id": "aws1", "url": "http://x"}}"#,
      "credential_source is of AWS (environment_id), which is not supported"
    ),
    (
      #"{"type": "external_account", "audience": "a", "subject_token_type": "t", "credential_source": {"file": "f", "format": {"type": "xml"}}}"#,
      "credential_source.format.type is neither text nor json"
    ),
    (
      #"{"type": "external_account", "audience": "a", "subject_token_type": "t", "credential_source": {"file": "f", "format": {"type": "json"}}}"#,
      "credential_source.format has no subject_token_field_name"
    ),
    (
      #"{"type": "external_account_authorized_user", "client_id": "c"}"#,
      "the field token_url is missing"
    ),
  ])
  func invalidFilesNameThePlaceAndAnAction(json: String, problem: String) {
    let error = #expect(throws: TokenError.self) { try credentials(json) }
    let text = "\(error?.description ?? "")"
    #expect(text.hasPrefix("adc.json"))
    #expect(text.contains(problem))
    #expect(error?.action != nil || problem == "the file is empty" || text.contains("keys create"))
    #expect(!text.contains("secret\""))
  }

  private static let user =
    #"{"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}"#

  @Test(arguments: [
    "https://iam.example/v1/projects/-/serviceAccounts/:generateAccessToken",
    "https://iam.example/v1/projects/-/serviceAccounts/a@b", "",
  ])
  func impersonationNeedsAnAccount(url: String) {
    let json =
      #"{"type": "impersonated_service_account", "service_account_impersonation_url": "\#(url)", "#
      + #""source_credentials": \#(Self.user)}"#
    #expect(throws: TokenError.self) { try credentials(json) }
  }

  @Test func impersonatedAccountIsThatOfTheURL() async throws {
    let json =
      #"{"type": "impersonated_service_account", "quota_project_id": "q", "service_account_impersonation_url": "#
      + #""https://x.googleapis.com/serviceAccounts/a@b.example:generateAccessToken", "source_credentials": \#(Self.user)}"#
    let found = try credentials(json)
    #expect(try await found.account(HTTPClient()) == "a@b.example")
    #expect(found.quotaProjectID == "q")
    #expect("\(AccessTokens(found))" == "AccessTokens(the credentials in adc.json)")
  }
}
