import Testing
import Tripwire

@testable import TripwireGoogleAuth

/// Whom a command of gcloud has to grant a role.
@Suite struct TokenPrincipalsTests {
  private static let user =
    #"{"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r", "account": "ACCOUNT"}"#

  private func tokens(_ json: String) throws -> AccessTokens {
    try AccessTokens(json: Array(json.utf8), origin: "adc.json")
  }

  private func user(_ account: String) -> String {
    Self.user.replacing("ACCOUNT", with: account)
  }

  private func impersonated(_ delegates: String) -> String {
    #"{"type": "impersonated_service_account", "delegates": [\#(delegates)], "service_account_impersonation_url": "#
      + #""https://x.googleapis.com/serviceAccounts/a@p.example:generateAccessToken", "source_credentials": "#
      + user("anna@example.com") + "}"
  }

  @Test(arguments: [
    ("anna@example.com", "user:anna@example.com"), ("", nil), ("no address", nil),
    ("x@p.iam.gserviceaccount.com", "serviceAccount:x@p.iam.gserviceaccount.com"),
  ])
  func userIsThatOfTheFile(account: String, member: String?) throws {
    let principals = try tokens(user(account)).principals
    #expect(principals.caller?.description == member)
    #expect(principals.requester?.description == member)
    #expect(principals.links.isEmpty)
  }

  @Test func impersonatedAccountCallsAndItsSourceRequests() throws {
    let principals = try tokens(impersonated("")).principals
    #expect(principals.caller == .serviceAccount("a@p.example"))
    #expect(principals.requester == .user("anna@example.com"))
    #expect(principals.link(to: nil)?.account == "a@p.example")
    #expect(principals.link(to: "a@p.example")?.creator == .user("anna@example.com"))
    #expect(principals.link(to: "b@p.example") == nil)
  }

  @Test func delegatesNeedTheRoleOnTheNextAccount() throws {
    let principals = try tokens(
      impersonated(#""projects/-/serviceAccounts/b@p.example", "c@p.example""#)
    ).principals
    #expect(principals.links.map(\.account) == ["b@p.example", "c@p.example", "a@p.example"])
    #expect(
      principals.links.map(\.creator) == [
        .user("anna@example.com"), .serviceAccount("b@p.example"), .serviceAccount("c@p.example"),
      ])
    #expect(principals.link(to: nil) == nil)
  }

  @Test func signerIsTheCaller() throws {
    let signed = try SignJWTTokens(
      account: "s@p.example", accessTokens: tokens(user("anna@example.com")))
    #expect(signed.principals.caller == .serviceAccount("s@p.example"))
    #expect(signed.principals.link(to: nil)?.creator == .user("anna@example.com"))
    // The impersonated account asks for the signature, and its source for its tokens.
    let both = try SignJWTTokens(account: "s@p.example", accessTokens: tokens(impersonated("")))
    #expect(both.principals.link(to: "s@p.example")?.creator == .serviceAccount("a@p.example"))
    #expect(both.principals.link(to: "a@p.example")?.creator == .user("anna@example.com"))
    let own = try SignJWTTokens(account: nil, accessTokens: tokens(impersonated("")))
    #expect(own.principals.links.map(\.account) == ["a@p.example"])
    #expect(own.principals.requester == .user("anna@example.com"))
  }
}
