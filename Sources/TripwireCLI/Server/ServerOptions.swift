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
      ? ["the server's certificate is not verified (--insecure-skip-verify)"] : []
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
        return UsageError(message: "--\(option) cannot be used with --replay")
      }
    } else if let option = playback.speed != nil ? "speed" : playback.loops ? "loop" : nil {
      return UsageError(message: "--\(option) requires --replay")
    }
    let tokens = [
      ("token-file", tokenFile), ("credentials", credentialsFile), ("token-command", tokenCommand),
    ].filter { $0.1 != nil }
    if tokens.count > 1 {
      return UsageError(
        message: "--\(tokens[0].0) cannot be used with --\(tokens[1].0)")
    }
    if isTokenForAll, tokenCommand == nil {
      return UsageError(message: "--token-for-all requires --token-command")
    }
    if keyFile != nil, certificateFile == nil {
      return UsageError(message: "--key requires --cert")
    }
    if revocationFile != nil, skipsVerification {
      return UsageError(message: "--crlfile cannot be used with --insecure-skip-verify")
    }
    if let error = record.contradiction(with: replay.map { [$0] } ?? []) { return error }
    guard isPlaintext else { return nil }
    let idle = [
      ("cert", certificateFile != nil), ("crlfile", revocationFile != nil),
      ("keylog", keyLogFile != nil), ("cacert", trustFile != nil),
      ("insecure-skip-verify", skipsVerification),
    ]
    return idle.first(where: \.1).map { option, _ in
      UsageError(message: "--\(option) cannot be used with --plaintext")
    }
  }
}

extension ServerOptions {
  static let all =
    own
    + PlaybackOptions.options(.connection).map {
      $0.described("do as 'tripwire replay --\($0.long)' does, for --replay")
        .inside(\.playback)
    } + RecordOptions.all.map { $0.inside(\.record) }

  private static let own: [Option<ServerOptions>] = [
    .value(
      "token-file", "FILE", .common,
      "read the token from FILE; - reads stdin",
      parse: Parse.text, store: { $0.tokenFile = $1 }
    ).orElse(
      EnvironmentVariable(
        name: "TRIPWIRE_TOKEN",
        help: "used if no option provides a token\nHolds the token or the path of its file. Other"
          + " programs of the same user can read the variable: use it only in CI."
      ) { (options, value) throws(BadValue) in options.tokenVariable = value }),
    .value(
      "credentials", "FILE", .common,
      "sign tokens with the service account key in FILE\nFILE is JSON; - reads stdin. Each token is for"
        + " the trip or vehicle of the call, or for all.",
      parse: Parse.text, store: { $0.credentialsFile = $1 }),
    .value(
      "token-command", "CMD", .common,
      "run CMD with sh and read the token from its stdout\nCMD writes one line: the token, used until"
        + " it expires or for 5 min if it is not a JWT; or {\"token\": …, \"expiresIn\": SECONDS}. CMD"
        + " gets TRIPWIRE_TRIP_ID or TRIPWIRE_VEHICLE_ID, and the full name in TRIPWIRE_RESOURCE.",
      parse: Parse.text, store: { $0.tokenCommand = $1 }),
    .flag(
      "token-for-all", .common,
      "use one token of --token-command for all resources\nRuns CMD once, not once for each trip or vehicle.",
      store: { $0.isTokenForAll = true }),
    .value(
      "timeout", "TIME", .common,
      "stop after TIME, such as 500ms or 2m\nIncludes the time to read files. Default: 15s for Fleet"
        + " Engine, reflection and named pipes, no limit for other calls.",
      parse: Parse.duration, store: { $0.timeout = $1 }),
    .value(
      "retries", "N", .common,
      "retry up to N times, 0 to 4\nRetries while the server is unavailable or cannot be reached."
        + " Default: 4 for Fleet Engine once it is connected, 0 for other calls and for reflection. A"
        + " call that the server refuses unprocessed is always sent once more (gRFC A6).",
      parse: Parse.retries, store: { $0.retries = $1 }),
    .flag(
      "verbose", short: "v", .common,
      "trace every step on stderr\nShows names, connections, TLS, headers, sizes and times. Credentials"
        + " are redacted.",
      store: { $0.isVerbose = true }),
    .value(
      "error-format", "FORMAT", .common,
      "print errors as text (default) or json\njson is one object on stderr with code, number, message,"
        + " details, kind, method, peer, attempts, earlierAttempts, warnings and hint.",
      parse: Parse.choice([("text", ErrorFormat.text), ("json", .json)]),
      store: { $0.errorFormat = $1 }),
    .flag("version", .common, "print the version", store: { $0.wantsVersion = true }),

    .value(
      "header", short: "H", "'NAME: VALUE'", .request,
      "send this header (repeatable)\nThe value of a name that ends in -bin is base64.",
      parse: Parse.header, store: { $0.headers.append(contentsOf: $1) }),
    .value(
      "max-message-size", "BYTES", .request,
      "accept responses of up to BYTES, such as 16MiB\nDefault: 4MiB.",
      parse: Parse.byteCount, store: { $0.maxMessageSize = $1 }),

    .value(
      "endpoint", "HOST[:PORT]", .connection,
      "call this server\nDefault: \(FleetServices.defaultEndpoint) for the methods of Fleet Engine.",
      parse: Parse.endpoint, store: { $0.endpoint = $1 }
    ).orElse(
      // It comes after all options, and is no word about this call: --replay goes before it.
      EnvironmentVariable(name: "TRIPWIRE_ENDPOINT", help: "used if --endpoint is not given") {
        (options, value) throws(BadValue) in
        let endpoint = try Parse.endpoint(value)
        if options.replay == nil { options.endpoint = endpoint }
      }),
    .flag(
      "plaintext", .connection, "use HTTP/2 without TLS",
      store: { $0.isPlaintext = true }),
    .value(
      "cacert", "FILE", .connection,
      "trust the CA certificates in this PEM file\nReplaces the CA certificates of the system.",
      parse: Parse.text, store: { $0.trustFile = $1 }),
    .flag(
      "insecure-skip-verify", .connection,
      "do not verify the server's certificate\nAnyone on the network path can then read the token.",
      store: { $0.skipsVerification = true }),
    .value(
      "cert", "FILE", .connection,
      "present the client certificate in this PEM file",
      parse: Parse.text, store: { $0.certificateFile = $1 }),
    .value(
      "key", "FILE", .connection,
      "use the private key in this PEM file with --cert\nDefault: the file of --cert.",
      parse: Parse.text, store: { $0.keyFile = $1 }),
    .value(
      "crlfile", "FILE", .connection,
      "reject certificates revoked by this PEM file",
      parse: Parse.text, store: { $0.revocationFile = $1 }),
    .value(
      "keylog", "FILE", .connection,
      "append the TLS secrets to FILE, for Wireshark\nAnyone with this file can decrypt the traffic.",
      parse: Parse.text, store: { $0.keyLogFile = $1 }),
    .value(
      "authority", "NAME", .connection,
      "use NAME for :authority, SNI and the certificate",
      parse: Parse.authority, store: { $0.authority = $1 }),
    .value(
      "proxy", "URL", .connection,
      "connect through this HTTP proxy, or none\nURL is [http://|https://][USER:PASSWORD@]HOST[:PORT]."
        + " Default: grpc_proxy, https_proxy or http_proxy, unless no_proxy lists the server. Other users"
        + " can read the command line: put a password in the environment variable.",
      parse: Parse.proxy, store: { $0.proxy = $1 }),
    .value(
      "replay", "FILE", .connection,
      "use this recording or script instead of a server",
      parse: Parse.text, store: { $0.replay = $1 }),
  ]
}
