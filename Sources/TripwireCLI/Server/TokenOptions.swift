/// Where the token of the calls comes from.
struct TokenOptions: Sendable {
  var file: String?
  var credentialsFile: String?
  var command: String?
  var isForAll = false
  /// The value of TRIPWIRE_TOKEN, when no option names a token.
  var variable: String?

  /// Nil for calls without a token.
  var source: TokenSource? {
    file.map { .file($0) } ?? credentialsFile.map { .credentials($0) }
      ?? command.map { .command($0, isForAll: isForAll) } ?? variable.map { .variable($0) }
  }

  /// Two options that contradict each other, or nil.
  var contradiction: UsageError? {
    let tokens = [
      ("token-file", file), ("credentials", credentialsFile), ("token-command", command),
    ].filter { $0.1 != nil }
    if tokens.count > 1 {
      return UsageError(
        message: "--\(tokens[0].0) and --\(tokens[1].0): a call has one token, so name one of them")
    }
    if isForAll, command == nil {
      return UsageError(message: "--token-for-all: of which program? Name it with --token-command")
    }
    return nil
  }

  static let all: [Option<TokenOptions>] = [
    .value(
      "token-file", "FILE", .common,
      "read the token that proves who you are from FILE, or from stdin if it is -",
      parse: Parse.text, store: { $0.file = $1 }
    ).orElse(
      EnvironmentVariable(
        name: "TRIPWIRE_TOKEN",
        help: "the token, or the FILE it is in, if no option names one; other programs of yours can"
          + " see it: for CI only"
      ) { (options, value) throws(BadValue) in options.variable = value }),
    .value(
      "credentials", "FILE", .common,
      "sign tokens with the service-account key in FILE (JSON), each for what is asked for: a trip, a"
        + " vehicle, or all of them; - is stdin",
      parse: Parse.text, store: { $0.credentialsFile = $1 }),
    .value(
      "token-command", "CMD", .common,
      "run CMD with sh for the token: it writes it on one line, to be used for 5 min or as long as a JWT"
        + " says, or {\"token\": …, \"expiresIn\": SECONDS}; it finds the trip in"
        + " TRIPWIRE_TRIP_ID, a vehicle in TRIPWIRE_VEHICLE_ID, the whole name in TRIPWIRE_RESOURCE",
      parse: Parse.text, store: { $0.command = $1 }),
    .flag(
      "token-for-all", .common,
      "what --token-command writes is good for every trip and vehicle: run it once for all of them",
      store: { $0.isForAll = true }),
  ]
}
