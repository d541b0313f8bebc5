package import CommandLine
import Tripwire
import TripwireGoogleAuth

package struct TokenOptions: Sendable {
  var file: String?
  var credentialsFile: String?
  /// The value of TRIPWIRE_CREDENTIALS_JSON.
  var credentialsText: String?
  var command: String?
  var isForAll = false
  /// The value of TRIPWIRE_TOKEN, if no option provides a token.
  var variable: String?
  var accessToken: AccessTokenSource?
  /// The account that signs, after its delegates.
  var signers: [String]?
  package var quotaProjectID: String?
  /// Whether the credentials of this machine are used if nothing else provides a token.
  package var usesDefault = true

  package init() {}

  /// Nil for calls without a token.
  package var source: TokenSource? {
    let signer = signers.map { accounts in
      TokenSource.signer(accounts, accessToken ?? .machine(isVariable: false))
    }
    return file.map { .file($0) } ?? credentialsFile.map { .credentials($0) }
      ?? command.map { .command($0, isForAll: isForAll) }
      ?? signer ?? accessToken.map { .accessToken($0) }
      ?? variable.map { .variable($0) } ?? credentialsText.map { .credentialsText($0) }
  }

  static let all: [Option<TokenOptions>] = [
    .value(
      "token-file", "FILE", .common,
      "read the token from FILE; - reads stdin",
      parse: Parse.text, store: { $0.file = $1 }
    ).orElse(
      "TRIPWIRE_TOKEN",
      "used if no option provides a token\nHolds the token or the path of its file. Other"
        + " programs of the same user can read the variable: use it only in CI.",
      store: { (options, value) throws(InvalidValue) in options.variable = value }
    ).inProfiles().excluding(["credentials", "token-command", "access-token", "sign-as"]),
    .value(
      "credentials", "FILE", .common,
      "sign tokens with the service account key in FILE\nFILE is JSON; - reads stdin. Each token has only"
        + " the claims that its call needs, such as the ID of one trip. If your organization forbids keys"
        + " (iam.disableServiceAccountKeyCreation), use --sign-as.",
      parse: Parse.text, store: { $0.credentialsFile = $1 }
    ).orElse(
      "TRIPWIRE_CREDENTIALS_JSON",
      "the service account key itself, if no option provides a token\nFor secret managers that provide text and no"
        + " files. Line ends in the key may be \\n of two characters, or spaces.",
      store: { (options, value) throws(InvalidValue) in options.credentialsText = value }
    ).inFullHelpOnly().inProfiles().excluding(["token-command", "access-token", "sign-as"]),
    accessToken.orElse(
      DefaultAccessTokens.variable,
      "the credentials file of this machine\nIf nothing else provides a token, calls to googleapis.com over TLS use"
        + " Application Default Credentials, of which this file is the first, or else the account of gcloud. -v shows"
        + " which credentials are used.",
      isLastResort: true, store: { (_, _) throws(InvalidValue) in }
    ).inProfiles().excluding(["token-command"]),
    signAs.inProfiles().excluding(["token-command"]),
    .value(
      "quota-project", "ID", environment: "GOOGLE_CLOUD_QUOTA_PROJECT", .common,
      "charge the calls to this Cloud project\nGoogle refuses most calls with user credentials without it."
        + " Default: the project in the credentials file, if it names one.",
      parse: Parse.providerID, store: { $0.quotaProjectID = $1 }
    ).inFullHelpOnly().inProfiles(),
    .value(
      "token-command", "CMD", .common,
      "run CMD with sh and read the token from its stdout\nCMD writes one line: the token, or"
        + " {\"token\": …, \"expiresIn\": SECONDS}. SECONDS is the lifetime of the token. Without it, a"
        + " JWT expires at its exp, and any other token after 5 min. tripwire renews a token in the last"
        + " fifth of its lifetime, at most 5 min before it expires. tripwire"
        + " sets environment variables for CMD: TRIPWIRE_RESOURCE has the name of the resource in the"
        + " request, or for create and search the name of its parent. TRIPWIRE_TRIP_ID or TRIPWIRE_VEHICLE_ID has the ID of"
        + " a trip or vehicle if the call concerns only one.",
      parse: Parse.text, store: { $0.command = $1 }
    ).inFullHelpOnly().inProfiles(),
    .flag(
      "token-for-all", .common,
      "use one token of --token-command for all resources\nCMD runs again only to renew the token, not for each resource.",
      store: { $0.isForAll = true }
    ).inFullHelpOnly().inProfiles().requiring("token-command"),
  ]

  package static let sources = [
    "token-file", "credentials", "token-command", "access-token", "sign-as",
  ]

  /// The options for the account that signs.
  package static let ofSigners = all.filter {
    ["credentials", "access-token", "sign-as", "quota-project"].contains($0.long)
  }

  private static let accessToken = Option<TokenOptions>.value(
    "access-token", "SOURCE", .common,
    "use the OAuth access token of SOURCE\nSOURCE is one of: adc, Application Default Credentials (the file in"
      + " \(DefaultAccessTokens.variable), that of 'gcloud auth application-default login', or the metadata server);"
      + " metadata, the service account of this machine; gcloud, the account that is logged in to gcloud; command:CMD,"
      + " the output of CMD; or a FILE with credentials or an access token (- reads stdin). The roles of the account"
      + " decide what the token grants.",
    parse: { (text) throws(InvalidValue) in try AccessTokenSource(text) },
    store: { $0.accessToken = $1 })

  private static let signAs = Option<TokenOptions>.value(
    "sign-as", "ACCOUNT", environment: "TRIPWIRE_SIGN_AS", .common,
    "have tokens signed as this service account\nLike --credentials, without a key: Google signs the claims. ACCOUNT is"
      + " an email address, or 'default' for the account of the access token; DELEGATE,ACCOUNT goes through delegates."
      + " The account of --access-token needs the role Service Account Token Creator on ACCOUNT. Default of"
      + " --access-token: the credentials of this machine.",
    parse: Parse.accounts, store: { $0.signers = $1 })
}

extension Parse {
  /// Parses `[DELEGATE,...]ACCOUNT`.
  package static func accounts(_ text: String) throws(InvalidValue) -> [String] {
    let accounts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for account in accounts {
      let mayNameAccount =
        account.contains("@") || account == TokenSource.ownAccount
        || account.allSatisfy(\.isNumber)
      guard mayNameAccount, AccountAddress.isValid(account) else {
        throw InvalidValue(
          "expected the address of a service account, such as NAME@PROJECT.iam.gserviceaccount.com")
      }
    }
    if accounts.count > 1, accounts.contains(TokenSource.ownAccount) {
      throw InvalidValue(
        "default is an account by itself, without delegates",
        hint: "name the account that signs after its delegates")
    }
    if Set(accounts).count < accounts.count {
      throw InvalidValue(
        "an account cannot be a delegate of itself", hint: "name each account once")
    }
    return accounts
  }
}
