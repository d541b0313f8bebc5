import Tripwire
import WireSystem

/// The service account that signs, and the access tokens of those who ask it to.
final class JWTSigner: Sendable {
  /// `projects/-/serviceAccounts/ADDRESS`
  let delegates: [String]
  let accessTokens: AccessTokens
  /// Nil for the account of the credentials.
  private let given: String?
  private let found = Locked<String?>(nil)
  let outage = Locked(SignerOutage())

  /// - Parameter account: the address; nil for the account of the credentials.
  init(account: String?, delegates: [String], _ accessTokens: AccessTokens) {
    let credentials = accessTokens.credentials.current
    if account == nil, let own = credentials as? ImpersonatedServiceAccount {
      // Its source signs for it: the account itself may not ask for its own signatures.
      given = own.target
      self.delegates = own.delegates
      var tokens = AccessTokens(own.source, quotaProjectID: accessTokens.quotaProjectID)
      tokens.client = accessTokens.client
      self.accessTokens = tokens
    } else {
      given = account
      self.delegates = delegates.map(Self.name)
      self.accessTokens = accessTokens
    }
  }

  static func name(of account: String) -> String { "projects/-/serviceAccounts/\(account)" }

  /// Returns the address of the account that signs.
  func account() async throws -> String {
    if let known = given ?? found.withLock({ $0 }) { return known }
    guard let account = try await accessTokens.credentials.account(accessTokens.client) else {
      throw TokenError.endpointFailed(
        place: accessTokens.credentials.name,
        reason: TokenError.Reason(
          "cannot sign tokens: no service account is known",
          action:
            "name the service account that signs, for example --sign-as NAME@PROJECT.iam.gserviceaccount.com"
        ))
    }
    found.withLock { $0 = account }
    return account
  }
}
