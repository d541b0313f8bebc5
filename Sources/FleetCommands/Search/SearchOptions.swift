import CommandCalls
import CommandLine
import CommandResources
import CommandShell
import Tripwire

struct SearchOptions: ServerCommandOptions {
  var server = ServerOptions()
  var provider = ProviderOption()
  /// The default depends on ``fields``.
  var output: OutputFormat?
  var fields: [String]?
  /// The maximum number of results; nil returns all.
  var limit: Int?
  var criteria = SearchCriteria()

  enum OutputFormat {
    case table
    /// The same as `table`.
    case text
    case json
    case name
  }

  var format: OutputFormat { output ?? (fields == nil ? .table : .json) }
  var isTable: Bool { [.table, .text].contains(format) }

  static let all: [Option<SearchOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print a table (default), json or name\nname prints only the names, one per line, for 'tripwire map -' and"
          + " other commands. json is one object on a line for each result (NDJSON), in"
          + " protobuf's JSON format. text means table, and ndjson means json.",
        choice: Choice([
          ("table", OutputFormat.table), ("text", .text), ("json", .json), ("ndjson", .json),
          ("name", .name),
        ]),
        store: { $0.output = $1 }),
      ResponseFields.option { $0.fields = $1 },
      .value(
        "limit", "N", .selection, "stop after N results",
        parse: Parse.count(1...Int(Int32.max)), store: { $0.limit = $1 }),
    ] + SearchCriteria.all.map { $0.inside(\.criteria) }
    + ProviderOption.all.map {
      $0.described("search this provider, a Cloud project\nUsed if providers/PROJECT is not given.")
        .inside(\.provider)
    } + ServerOptions.all.map { $0.inside(\.server) }
}
