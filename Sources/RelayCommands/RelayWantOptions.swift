import CommandLine
import CommandResources
import CommandShell
import Tripwire

struct RelayWantOptions: ServerCommandOptions {
  var server = ServerOptions()
  var relay = RelayServer()
  var provider = ProviderOption()
  var duration = Duration.seconds(3_600)
  var isPinned = false
  /// What to search for, one of ``SearchQuery/collections``; nil for names.
  var collection: String?
  var criteria = SearchCriteria()
  /// The time from one search to the next.
  var interval = Duration.seconds(60)

  var callsServer: Bool { collection != nil }
  var warnings: [String] { server.tls.warnings + relay.warnings }
  var isLongRunning: Bool { callsServer }

  static let all: [Option<RelayWantOptions>] =
    [
      .value(
        "for", "TIME", .common, "poll the resources for TIME, such as 10m\nDefault: 1h.",
        parse: { (text) throws(InvalidValue) in
          let duration = try Parse.duration(text)
          guard duration >= .seconds(1) else { throw InvalidValue("must be at least 1s") }
          // PollRequest.for_ms has 32 bits.
          guard duration <= .seconds(1_193 * 3_600) else {
            throw InvalidValue("must be at most 1193h; --pin has no end")
          }
          return duration
        }, store: { $0.duration = $1 }
      ).excluding(["pin", "search"]),
      .flag(
        "pin", .common,
        "poll the resources until they are final\nA trip is final when it is complete or canceled, a task"
          + " or a shipment when it is closed, and a vehicle never.",
        store: { $0.isPinned = true }
      ).excluding(["search"]),
      .value(
        "search", "WHAT", .common,
        "request what a search finds, until the command ends\nWHAT is "
          + SearchQuery.collections.joined(conjunction: "or")
          + ". --provider names the provider. The other options are those of 'tripwire search'; --active, --filter and"
          + " others select the resources.",
        choice: Choice(
          SearchQuery.collections.map { ($0, $0) },
          hint: "pass --search trips --active, or --search tasks --filter 'state = OPEN'"),
        store: { $0.collection = $1 }),
      .value(
        "every", "TIME", .common,
        "with --search: search every TIME, from 1s to 24h\nDefault: 1m. Each resource is requested for four times"
          + " this time, so that it is polled for up to that time after a search has found it last.",
        parse: Parse.boundedDuration(
          .seconds(1) ... .seconds(86_400), "expected a duration from 1s to 24h"),
        store: { $0.interval = $1 }),
    ]
    + ProviderOption.all.map { option in
      option.described(option.description.help + " With --search, the search is for this provider.")
        .inside(\.provider)
    }
    + RelayServer.relayOptions.map { $0.inside(\.relay) } + searching

  /// The options of searches and of their server.
  private static let searching: [Option<RelayWantOptions>] =
    SearchCriteria.all.map { option in
      (["active", "filter"].contains(option.long) ? option : option.inFullHelpOnly())
        .inside(\.criteria)
    } + ServerOptions.all.map { $0.inFullHelpOnly().inside(\.server) }

  /// The options that need no search.
  private static let general = ["profile", "quiet", "version", "error-format", "color"]

  /// An error if an option that needs --search is given without it.
  func contradiction(_ line: ParsedCommandLine) -> UsageError? {
    guard collection == nil else { return nil }
    let names = ["every"] + Self.searching.map(\.long).filter { !Self.general.contains($0) }
    return names.first { line.sources[$0] == .option }.map {
      .requirement(of: "--\($0)", "--search")
    }
  }
}
