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
  /// The address of the account of the credentials, once it is known.
  private let found = Locked<String?>(nil)

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

  /// Returns the address in the name of an account, or the address itself.
  static func address(in name: String) -> String {
    name.split(separator: "/").last.map(String.init) ?? name
  }

  /// The address of the account that signs; nil while it is unknown.
  var knownAccount: String? {
    given ?? (credentials.current as? ImpersonatedServiceAccount)?.target ?? found.withLock { $0 }
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
    found.withLock { $0 = account }
    return account
  }

  private func failure(_ problem: String, _ action: String) -> TokenError {
    .endpointFailed(
      place: credentials.name,
      reason: TokenError.Reason("cannot sign tokens: \(problem)", action: action, isLocal: true))
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

  var member: IAMMember? { (try? source())?.member }
  var hasLastingSecret: Bool { own.hasLastingSecret }

  func accessToken(scope: String, _ client: HTTPClient) async throws -> AuthToken {
    try await source().accessToken(scope: scope, client)
  }
}
