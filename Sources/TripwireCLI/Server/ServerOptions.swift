import Tripwire

/// What a command was told of the server it calls: which, how to reach it, what to send beside the
/// request, and how to speak of it.
struct ServerOptions: Sendable {
  /// Nil when none was named: Fleet Engine's own.
  var endpoint: String?
  var replay: String?
  var playback = PlaybackOptions()
  var isPlaintext = false
  var trustFile: String?
  var skipsVerification = false
  var certificateFile: String?
  var keyFile: String?
  var revocationFile: String?
  var keyLogFile: String?
  var proxy = ChannelConfiguration.ProxySource.environment
  var authority: String?
  var headers = Metadata()
  var tokenFile: String?
  var credentialsFile: String?
  var tokenCommand: String?
  var isTokenForAll = false
  /// What TRIPWIRE_TOKEN says, when there is no --token-file.
  var tokenVariable: String?
  var timeout: Duration?
  /// Nil for as many as the API's own policy has, if it has one.
  var retries: Int?
  var maxMessageSize = CallOptions.defaultMaxReceiveMessageSize
  var record = RecordOptions()
  var errorFormat = ErrorFormat.text
  var isVerbose = false
  var wantsVersion = false

  /// Whether it is said who is called.
  var namesServer: Bool { endpoint != nil || replay != nil }

  /// Nil for calls without a token.
  var token: TokenSource? {
    tokenFile.map { .file($0) } ?? credentialsFile.map { .credentials($0) }
      ?? tokenCommand.map { .command($0, isForAll: isTokenForAll) }
      ?? tokenVariable.map { .variable($0) }
  }

  /// What the user should know before it is done.
  var warnings: [String] {
    skipsVerification
      ? ["the server's certificate is not checked (--insecure-skip-verify)"] : []
  }

  /// Two options that contradict each other, or nil.
  var contradiction: UsageError? {
    if replay != nil {
      let idle = [
        ("endpoint", endpoint != nil), ("plaintext", isPlaintext), ("cacert", trustFile != nil),
        ("insecure-skip-verify", skipsVerification), ("proxy", proxy != .environment),
        ("cert", certificateFile != nil), ("key", keyFile != nil),
        ("crlfile", revocationFile != nil), ("keylog", keyLogFile != nil),
      ]
      if let (option, _) = idle.first(where: \.1) {
        return UsageError(message: "--\(option): no server is dialled with --replay")
      }
    } else if let option = playback.speed != nil ? "speed" : playback.loops ? "loop" : nil {
      return UsageError(message: "--\(option): of what? Name the recording with --replay")
    }
    let tokens = [
      ("token-file", tokenFile), ("credentials", credentialsFile), ("token-command", tokenCommand),
    ].filter { $0.1 != nil }
    if tokens.count > 1 {
      return UsageError(
        message: "--\(tokens[0].0) and --\(tokens[1].0): a call has one token, so name one of them")
    }
    if isTokenForAll, tokenCommand == nil {
      return UsageError(message: "--token-for-all: of which program? Name it with --token-command")
    }
    if keyFile != nil, certificateFile == nil {
      return UsageError(message: "--key: whose key is it? Name the certificate with --cert")
    }
    if revocationFile != nil, skipsVerification {
      return UsageError(message: "--crlfile: nothing is verified with --insecure-skip-verify")
    }
    if let error = record.contradiction(with: replay.map { [$0] } ?? []) { return error }
    guard isPlaintext else { return nil }
    let idle = [
      ("cert", certificateFile != nil), ("crlfile", revocationFile != nil),
      ("keylog", keyLogFile != nil),
    ]
    if let (option, _) = idle.first(where: \.1) {
      return UsageError(message: "--\(option): there is no TLS with --plaintext")
    }
    if trustFile != nil {
      return UsageError(message: "--cacert: there is no certificate to check with --plaintext")
    }
    if skipsVerification {
      return UsageError(
        message: "--insecure-skip-verify: there is nothing to verify with --plaintext")
    }
    return nil
  }
}

extension ServerOptions {
  static let all =
    own
    + PlaybackOptions.options(.connection).map {
      $0.described("play what --replay names as tripwire replay --\($0.long) does")
        .inside(\.playback)
    } + RecordOptions.all.map { $0.inside(\.record) }

  private static let own: [Option<ServerOptions>] = [
    .value(
      "token-file", "FILE", .common,
      "read the token that proves who you are from FILE, or from stdin if it is -",
      parse: Parse.text, store: { $0.tokenFile = $1 }
    ).orElse(
      EnvironmentVariable(
        name: "TRIPWIRE_TOKEN",
        help: "the token, or the FILE it is in, if no option names one; other programs of yours can"
          + " see it: for CI only"
      ) { (options, value) throws(BadValue) in options.tokenVariable = value }),
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
      parse: Parse.text, store: { $0.tokenCommand = $1 }),
    .flag(
      "token-for-all", .common,
      "what --token-command writes is good for every trip and vehicle: run it once for all of them",
      store: { $0.isTokenForAll = true }),
    .value(
      "timeout", "TIME", .common,
      "how long it may take in all, such as 500ms or 2m, with the reading of files; if not given, 15s"
        + " for Fleet Engine, for reflection and for files that are pipes, no limit for other calls",
      parse: Parse.duration, store: { $0.timeout = $1 }),
    .value(
      "retries", "N", .common,
      "retry up to N times, 0 to 4, while the server is unavailable or cannot be reached; if not"
        + " given, 4 for Fleet Engine once it is reached, 0 for other calls and for reflection."
        + " In any case, a call that the server refuses unprocessed is sent once more at once (gRFC A6)",
      parse: Parse.retries, store: { $0.retries = $1 }),
    .flag(
      "verbose", short: "v", .common,
      "trace every step on stderr: names, connection, TLS, headers, sizes, times; never the token",
      store: { $0.isVerbose = true }),
    .value(
      "error-format", "FORMAT", .common,
      "text (the default), or json: one object on stderr with code, number, message, details,"
        + " kind, method, peer, attempts, earlierAttempts, warnings and hint",
      parse: Parse.choice([("text", ErrorFormat.text), ("json", .json)]),
      store: { $0.errorFormat = $1 }),
    .flag("version", .common, "print the version", store: { $0.wantsVersion = true }),

    .value(
      "header", short: "H", "'NAME: VALUE'", .request,
      "send this header, too (repeatable); the value of a name that ends in -bin is base64",
      parse: Parse.header, store: { $0.headers.append(contentsOf: $1) }),
    .value(
      "max-message-size", "BYTES", .request,
      "take an answer of up to so many bytes, such as 16MiB; 4MiB if not given",
      parse: Parse.byteCount, store: { $0.maxMessageSize = $1 }),

    .value(
      "endpoint", "HOST[:PORT]", .connection,
      "the server; if not given, \(FleetServices.defaultEndpoint) for Fleet Engine's methods",
      parse: Parse.endpoint, store: { $0.endpoint = $1 }
    ).orElse(
      // It comes after all options, and is no word about this call: --replay goes before it.
      EnvironmentVariable(name: "TRIPWIRE_ENDPOINT", help: "stands in for --endpoint") {
        (options, value) throws(BadValue) in
        let endpoint = try Parse.endpoint(value)
        if options.replay == nil { options.endpoint = endpoint }
      }),
    .flag(
      "plaintext", .connection, "speak HTTP/2 without TLS",
      store: { $0.isPlaintext = true }),
    .value(
      "cacert", "FILE", .connection,
      "trust the certificates in this PEM file instead of the system's",
      parse: Parse.text, store: { $0.trustFile = $1 }),
    .flag(
      "insecure-skip-verify", .connection,
      "go on whatever the server's certificate says: anyone in between can then read the token",
      store: { $0.skipsVerification = true }),
    .value(
      "cert", "FILE", .connection,
      "show the certificate in this PEM file to a server that asks who the client is",
      parse: Parse.text, store: { $0.certificateFile = $1 }),
    .value(
      "key", "FILE", .connection,
      "the PEM file with the private key of --cert; that of --cert itself if not given",
      parse: Parse.text, store: { $0.keyFile = $1 }),
    .value(
      "crlfile", "FILE", .connection,
      "refuse certificates that the lists in this PEM file revoke",
      parse: Parse.text, store: { $0.revocationFile = $1 }),
    .value(
      "keylog", "FILE", .connection,
      "append the connection's secrets to FILE, for Wireshark: who has it can read the token",
      parse: Parse.text, store: { $0.keyLogFile = $1 }),
    .value(
      "authority", "NAME", .connection,
      "the name to ask for (:authority, SNI) and to expect in the certificate",
      parse: Parse.authority, store: { $0.authority = $1 }),
    .value(
      "proxy", "URL", .connection,
      "go through this HTTP proxy, [http://|https://][USER:PASSWORD@]HOST[:PORT], or none; if not"
        + " given, the one that grpc_proxy, https_proxy or http_proxy names, unless no_proxy lists"
        + " the server (others can read the command line: keep a password in the variable)",
      parse: Parse.proxy, store: { $0.proxy = $1 }),
    .value(
      "replay", "FILE", .connection,
      "get from this recording or script, served in this process, instead of from --endpoint",
      parse: Parse.text, store: { $0.replay = $1 }),
  ]
}
