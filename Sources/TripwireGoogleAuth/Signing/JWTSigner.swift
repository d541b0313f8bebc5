import Tripwire
import WireSystem

/// The service account that signs, and the access tokens of those who ask it to.
final class JWTSigner: Sendable {
  let accessTokens: AccessTokens
  let outage = Locked(SignerOutage())
  /// Nil for the account of the credentials.
  private let given: String?
  private let givenDelegates: [String]
  private let credentials: any GoogleCredentials

  /// - Parameter account: the address; nil for the account of the credentials.
  init(account: String?, delegates: [String], _ accessTokens: AccessTokens) {
    given = account
    givenDelegates = delegates
    credentials = accessTokens.credentials
    self.accessTokens = account == nil ? accessTokens.ofSource : accessTokens
  }

  static func name(of account: String) -> String {
    account.utf8.contains(UInt8(ascii: "/")) ? account : "projects/-/serviceAccounts/\(account)"
  }

  /// `projects/-/serviceAccounts/ADDRESS`
  var delegates: [String] {
    let own = given == nil ? (credentials.current as? ImpersonatedServiceAccount)?.delegates : nil
    return (own ?? givenDelegates).map(Self.name)
  }

  /// Returns the address of the account that signs.
  func account() async throws -> String {
    let account =
      if let given { given } else {
        try await credentials.latest().account(accessTokens.client)
      }
    guard let account, AccountAddress.isValid(account) else {
      throw failure(
        account == nil
          ? "no service account is known" : "the account has no valid address",
        "name the service account that signs, for example --sign-as NAME@PROJECT.iam.gserviceaccount.com"
      )
    }
    let chain = delegates + [Self.name(of: account)]
    guard Set(chain).count == chain.count else {
      throw failure("an account is its own delegate", "name each account once")
    }
    return account
  }

  private func failure(_ problem: String, _ action: String) -> TokenError {
    .endpointFailed(
      place: credentials.name,
      reason: TokenError.Reason("cannot sign tokens: \(problem)", action: action))
  }
}

/// The credentials that ask for signatures as their own account. Those of an impersonated account are its source: the
/// account itself may not ask for its own signatures.
struct SigningCredentials: GoogleCredentials {
  let own: any GoogleCredentials

  var name: String { own.name }
  var quotaProjectID: String? { own.quotaProjectID }

  private func source() throws(TokenError) -> any GoogleCredentials {
    let latest = try own.latest()
    return (latest as? ImpersonatedServiceAccount)?.source ?? latest
  }

  func account(_ client: HTTPClient) async throws -> String? {
    try await source().account(client)
  }

  func person() async -> String? { await (try? source())?.person() }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    try await source().accessToken(scope: scope, client)
  }
}
