/// The options of a command that receives trips from a relay.
struct RelayOptions: Sendable {
  /// The address of NATS; nil polls the server.
  var url: String?
  /// The options of `tripwire-relay read` for its connection to NATS.
  fileprivate var connection: [(option: String, value: String)] = []

  /// The arguments of `tripwire-relay`.
  func arguments(_ names: [String]) -> [String] {
    ["read"] + names + ["--nats", url ?? ""] + connection.flatMap { [$0.option, $0.value] }
  }

  /// An error if options contradict each other.
  ///
  /// - Parameter all: the options of the command.
  func contradiction<Values>(
    _ line: ParsedCommandLine, _ all: [Option<Values>]
  ) -> UsageError? {
    guard url != nil else {
      return connection.first.map { .requirement(of: $0.option, "--from") }
    }
    let refused = all.first { option in
      line.sources[option.long] == .option && !Self.isAllowed(option.long, option.group)
    }
    return refused.map {
      .conflict(
        "--\($0.long)", "--from",
        hint: "remove --\($0.long), and pass it to the workers: tripwire relay work --\($0.long)")
    }
  }

  /// Whether an option has an effect without calls of this process.
  private static func isAllowed(_ option: String, _ group: OptionGroup) -> Bool {
    if all.contains(where: { $0.long == option }) { return true }
    switch group {
    case .request, .connection, .recording: return false
    case .common, .selection, .map: return !Self.calls.contains(option)
    }
  }

  /// The options of calls in the first group of the help.
  private static let calls = [
    "token-file", "credentials", "token-command", "token-for-all", "timeout", "timing",
  ]

  static let all: [Option<RelayOptions>] = [
    .value(
      "from", "URL", .connection,
      "receive the trips from a relay, nats://HOST[:PORT]\nRuns the helper program tripwire-relay,"
        + " which 'make install' builds if libnats is installed. The workers of the relay make the calls: pass options for calls to"
        + " 'tripwire relay work'.",
      parse: Parse.relay, store: { $0.url = $1 }),
    file("creds", "log in to NATS with the credentials in FILE"),
    file("ca", "trust the CA certificates in FILE for NATS"),
    file("cert", "present the client certificate in FILE to NATS"),
    file("key", "use the private key in FILE with --nats-cert"),
  ]

  private static func file(_ name: String, _ help: String) -> Option<RelayOptions> {
    let option = "--nats-" + name
    return .value(
      "nats-" + name, "FILE", .connection, help, parse: Parse.text,
      store: { $0.connection.append((option, $1)) })
  }
}

extension Parse {
  /// Parses one or more addresses of NATS. They may contain a password, so no error shows them.
  fileprivate static func relay(_ text: String) throws(BadValue) -> String {
    for address in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard ["nats://", "tls://"].contains(where: { address.hasPrefix($0) && address != $0 }) else {
        throw BadValue("expected nats://HOST[:PORT] or tls://HOST[:PORT]", mayBeShown: false)
      }
    }
    return text
  }
}
