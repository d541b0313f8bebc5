package import CommandLine
import Tripwire

/// The options for the server that a command calls and for the connection to it.
package struct ConnectionOptions: Sendable {
  /// Nil for Fleet Engine's own.
  package var endpoint: String?
  /// Whether `endpoint` is an operand, and not the value of the option.
  var endpointIsOperand = false
  var authority: String?
  var connectTo: [ConnectTo] = []
  var proxy = ChannelConfiguration.ProxySource.environment
  package var replay: String?
  /// The API that is called in place of Fleet Engine; nil for none.
  var api: GoogleAPI?
  var playback = PlaybackOptions()

  package init() {}

  /// The file of --replay, or the address of the server.
  package var destination: String { replay ?? endpoint ?? FleetServices.defaultEndpoint }

  /// Whether an option names the server.
  package var namesServer: Bool { endpoint != nil || replay != nil }

  /// Whether no other option than the endpoint is given.
  var isServerOnly: Bool {
    replay == nil && proxy == .environment && authority == nil && connectTo.isEmpty
  }

  /// The options about --replay, for commands that make no calls to a recording.
  package static let namesOfReplay = ["replay", "speed", "loop"]

  /// The options for the connections to Google's servers of tokens.
  package static let ofSigners = own.filter { ["connect-to", "proxy"].contains($0.long) }

  static let all =
    own
    + PlaybackOptions.options(.connection).map {
      $0.described("with --replay: the same as 'tripwire replay --\($0.long)'")
        .inFullHelpOnly().requiring("replay").inside(\.playback)
    }

  private static let own: [Option<ConnectionOptions>] = [
    .value(
      "endpoint", "HOST[:PORT]", environment: EndpointSource.variableName, .connection,
      "call this server\nDefault: \(FleetServices.defaultEndpoint) for the methods of Fleet Engine.",
      parse: Parse.endpoint, store: { $0.endpoint = $1 }
    ).inProfiles().excluding(["replay"]),
    .value(
      "authority", "NAME", .connection,
      "use NAME for :authority, SNI and the certificate check",
      parse: Parse.authority, store: { $0.authority = $1 }
    ).inFullHelpOnly().inProfiles(with: "endpoint"),
    .value(
      "connect-to", "HOST:PORT:ADDRESS:PORT", .connection,
      "connect to ADDRESS:PORT instead of HOST:PORT (repeatable)\nThe names in :authority, SNI and the"
        + " certificate stay those of HOST:PORT. An empty HOST or PORT means any; an empty ADDRESS or second"
        + " PORT keeps the server's own.",
      parse: { (text) throws(InvalidValue) in try ConnectTo(text) },
      store: { $0.connectTo.append($1) }
    ).inFullHelpOnly().excluding(["replay"]),
    .value(
      "proxy", "URL", .connection,
      "connect through the HTTP proxy at URL; 'none' means no proxy\nURL is [http://|https://][USER:PASSWORD@]HOST[:PORT]."
        + " Default: grpc_proxy, https_proxy or http_proxy, unless the server is on this machine, or"
        + " no_grpc_proxy or no_proxy lists it. Other users can read the command line: put a password in"
        + " the environment variable.",
      parse: Parse.proxy, store: { $0.proxy = $1 }
    ).inFullHelpOnly().excluding(["replay"]).secret(
      hint: "set grpc_proxy or https_proxy in the environment: the URL may have a password"),
    .value(
      "replay", "FILE", .connection,
      "use a recording or script instead of a server\n'tripwire replay --help' describes"
        + " both.",
      parse: Parse.text, store: { $0.replay = $1 }),
  ]
}
