import CommandCalls
package import CommandLine
import CommandResources
import CommandShell
import Tripwire

package struct FollowOptions: ServerCommandOptions {
  var isLongRunning: Bool { true }
  var poll = PollOptions()
  var provider = ProviderOption()
  var output: OutputFormat?
  /// The paths of --fields; nil prints all fields.
  var fields: [String]?
  var goal: TripStatus?
  var limit: Duration?
  var failsFast = false
  var relay = RelayServer()

  var server: ServerOptions {
    get { poll.server }
    set { poll.server = newValue }
  }
  var callsServer: Bool { relay.url == nil }

  enum OutputFormat {
    case json
    case text
    case geojson
  }

  package static let all: [Option<FollowOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print json, text or geojson\njson is the default if stdout is not a terminal. It is one object"
          + " per line. {\"time\":…,\"name\":…,\"changed\":[…],\"trip\":{…}} has the whole trip and the"
          + " names of the changed fields. For other resources, the key \"trip\" is replaced by \(otherKeys)."
          + " \"stale\":true means that the server has"
          + " not returned the resource for three intervals. If \"changed\" is [], the resource is the same as before, and the line"
          + " reports only that an error has ended or that \"stale\" changed."
          + " {\"time\":…,\"name\":…,\"error\":{…}} reports a new or changed error. text is the default on"
          + " a terminal, where it is a live view. If stdout is not a terminal, if TERM is dumb, or if -v writes to"
          + " the terminal, text is one readable line per change. geojson is one FeatureCollection per change, with errors on stderr.",
        choice: Choice([
          ("json", OutputFormat.json), ("ndjson", .json), ("text", .text), ("geojson", .geojson),
        ]),
        store: { $0.output = $1 }
      ).inProfiles(),
      ResponseFields.option { $0.fields = $1 },
      .value(
        "until", "STATUS", .common,
        "stop when each trip is at STATUS or past it\nOnly with trips. One of "
          + awaited.map(\.0).joined(separator: ", ")
          + ". Neither of the two statuses of intermediate destinations counts as past the other, because a trip may"
          + " have several such stops. With --for, exit with 4 if a trip has not reached it in time.",
        choice: Choice(awaited), store: { $0.goal = $1 }),
      .value(
        "for", "TIME", .common, "stop after this time, such as 10m", parse: Parse.duration,
        store: { $0.limit = $1 }),
      .flag(
        "fail-fast", .common, "stop at the first error of any NAME",
        store: { $0.failsFast = true }),
    ]
    + RelayServer.fromOptions.map { $0.inside(\.relay) }
    + ProviderOption.all.map { $0.described(provider).inside(\.provider) }
    + PollOptions.all.map { $0.inside(\.poll) }

  private static let otherKeys =
    ResourceKind.allCases.filter { $0 != .trip }.map { "\"\($0.jsonKey)\"" }.joined(
      conjunction: "or")

  private static let provider =
    "complete names with this provider, a Cloud project\nWith --provider p, NAME may be t1 or trips/t1 for"
    + " providers/p/trips/t1, and tasks/t1 for providers/p/tasks/t1. A full name keeps its own provider."

  private static let awaited = TripStatus.allCases.filter { $0 != .unknown }.map {
    ($0.optionValue, $0)
  }

  /// An error if options do not apply to the followed resources.
  func contradiction(_ kinds: Set<ResourceKind>) -> UsageError? {
    guard let other = ResourceKind.allCases.first(where: { $0 != .trip && kinds.contains($0) })
    else { return nil }
    if goal != nil {
      return .conflict("--until", "a \(other.noun)", hint: "follow only trips, or remove --until")
    }
    guard !kinds.contains(.trip), poll.view != nil || poll.routeFormat != nil else { return nil }
    let option = poll.view != nil ? "--view" : "--route-format"
    return .conflict(option, "a \(other.noun)", hint: "remove \(option)")
  }
}
