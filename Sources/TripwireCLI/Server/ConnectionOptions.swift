import Tripwire

/// The options for the server that a command calls and for the connection to it.
struct ConnectionOptions: Sendable {
  /// Nil for Fleet Engine's own.
  var endpoint: String?
  /// Whether the endpoint comes from the environment.
  var isFromEnvironment = false
  var authority: String?
  var proxy = ChannelConfiguration.ProxySource.environment
  var replay: String?
  var playback = PlaybackOptions()

  var endpointSource: EndpointSource {
    if replay != nil { return .replay }
    return endpoint == nil ? .standard : isFromEnvironment ? .variable : .option
  }

  /// Whether an option names the server.
  var namesServer: Bool { endpoint != nil || replay != nil }

  /// Whether no other option than the endpoint is given.
  var isServerOnly: Bool { replay == nil && proxy == .environment && authority == nil }

  /// Two options that contradict each other, or nil.
  func contradiction(with tls: TLSOptions) -> UsageError? {
    if replay != nil {
      let option =
        endpoint != nil ? "endpoint" : proxy != .environment ? "proxy" : tls.given
      return option.map { .conflict("--\($0)", "--replay") }
    }
    let option = playback.speed != nil ? "speed" : playback.loops ? "loop" : nil
    return option.map { .requirement(of: "--\($0)", "--replay") }
  }

  static let all =
    own
    + PlaybackOptions.options(.connection).map {
      $0.described("with --replay: the same as 'tripwire replay --\($0.long)'")
        .inside(\.playback)
    }

  private static let own: [Option<ConnectionOptions>] = [
    .value(
      "endpoint", "HOST[:PORT]", .connection,
      "call this server\nDefault: \(FleetServices.defaultEndpoint) for the methods of Fleet Engine.",
      parse: Parse.endpoint, store: { $0.endpoint = $1 }
    ).orElse(
      // The environment is read after all options: --replay has priority over it.
      EnvironmentVariable(
        name: EndpointSource.variableName, help: "used if --endpoint is not given"
      ) {
        (options, value) throws(BadValue) in
        let endpoint = try Parse.endpoint(value)
        if options.replay == nil {
          options.endpoint = endpoint
          options.isFromEnvironment = true
        }
      }),
    .value(
      "authority", "NAME", .connection,
      "use NAME for :authority, SNI and the certificate check",
      parse: Parse.authority, store: { $0.authority = $1 }),
    .value(
      "proxy", "URL", .connection,
      "connect through the HTTP proxy URL; none disables it\nURL is [http://|https://][USER:PASSWORD@]HOST[:PORT]."
        + " Default: grpc_proxy, https_proxy or http_proxy, unless no_grpc_proxy or no_proxy lists the server. Other users"
        + " can read the command line: put a password in the environment variable.",
      parse: Parse.proxy, store: { $0.proxy = $1 }),
    .value(
      "replay", "FILE", .connection,
      "use a recording or script instead of a server\n'tripwire replay --help' describes"
        + " both.",
      parse: Parse.text, store: { $0.replay = $1 }),
  ]
}
