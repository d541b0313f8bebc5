import CommandLine
import Tripwire

package struct TokenOptions: Sendable {
  var file: String?
  var credentialsFile: String?
  var command: String?
  var isForAll = false
  /// The value of TRIPWIRE_TOKEN, if no option provides a token.
  var variable: String?
  /// The value of GOOGLE_APPLICATION_CREDENTIALS.
  package var applicationCredentials: String?

  package init() {}

  /// Nil for calls without a token.
  package var source: TokenSource? {
    file.map { .file($0) } ?? credentialsFile.map { .credentials($0) }
      ?? command.map { .command($0, isForAll: isForAll) } ?? variable.map { .variable($0) }
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
    ).inProfiles().excluding(["credentials", "token-command"]),
    .value(
      "credentials", "FILE", .common,
      "sign tokens with the service account key in FILE\nFILE is JSON; - reads stdin. Each token has only"
        + " the claims that its call needs, such as the ID of one trip.",
      parse: Parse.text, store: { $0.credentialsFile = $1 }
    ).orElse(
      ApplicationCredentials.variable,
      "the service account key to use if nothing else provides a token\nUsed only for calls to"
        + " \(FleetServices.defaultEndpoint) over TLS; -v shows whether it is used.",
      isLastResort: true,
      store: { (options, value) throws(InvalidValue) in options.applicationCredentials = value }
    ).inProfiles().excluding(["token-command"]),
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
    ).inProfiles(),
    .flag(
      "token-for-all", .common,
      "use one token of --token-command for all resources\nCMD runs again only to renew the token, not for each resource.",
      store: { $0.isForAll = true }
    ).inFullHelpOnly().inProfiles().requiring("token-command"),
  ]

  package static let sources = ["token-file", "credentials", "token-command"]
}
