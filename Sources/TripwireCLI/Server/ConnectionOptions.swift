import Tripwire

/// The server that a command calls, and the way to it.
struct ConnectionOptions: Sendable {
  /// Nil when none was named: Fleet Engine's own.
  var endpoint: String?
  var authority: String?
  var proxy = ChannelConfiguration.ProxySource.environment
  var replay: String?
  var playback = PlaybackOptions()

  /// Whether it is said who is called.
  var namesServer: Bool { endpoint != nil || replay != nil }

  /// Two options that contradict each other, or nil.
  func contradiction(with tls: TLSOptions) -> UsageError? {
    if replay != nil {
      let option =
        endpoint != nil ? "endpoint" : proxy != .environment ? "proxy" : tls.given
      return option.map { UsageError(message: "--\($0): no server is dialled with --replay") }
    }
    let option = playback.speed != nil ? "speed" : playback.loops ? "loop" : nil
    return option.map {
      UsageError(message: "--\($0): of what? Name the recording with --replay")
    }
  }

  static let all =
    own
    + PlaybackOptions.options(.connection).map {
      $0.described("play what --replay names as tripwire replay --\($0.long) does")
        .inside(\.playback)
    }

  private static let own: [Option<ConnectionOptions>] = [
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
