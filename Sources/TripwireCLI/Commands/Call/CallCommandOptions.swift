/// What `tripwire call` was told.
struct CallCommandOptions: ServerCommandOptions {
  var server = ServerOptions()
  var schema = SchemaOptions()
  /// Nil for no request, or an empty one.
  var data: RequestData?
  /// Nil for what suits the call and the terminal.
  var output: OutputFormat?
  var emitsDefaults = false
  var allowsUnknownFields = false

  enum OutputFormat {
    /// In several lines.
    case json
    /// A line each.
    case ndjson
  }
}

extension CallCommandOptions {
  static let all: [Option<CallCommandOptions>] =
    [
      .value(
        "data", short: "d", "JSON", .common,
        "the request as JSON; @FILE reads it from FILE, - (or @) from stdin. A method that takes"
          + " many requests gets each value as it comes; without -d the request is empty",
        parse: { (text) throws(BadValue) in RequestData(text) }, store: { $0.data = $1 }),
      .value(
        "output", short: "o", "FORMAT", .common,
        "json: indented; ndjson: a line for each answer. If not given, json for a single answer"
          + " on a terminal, else ndjson",
        parse: Parse.choice([("json", OutputFormat.json), ("ndjson", .ndjson)]),
        store: { $0.output = $1 }),
      .flag(
        "emit-defaults", .request, "write fields that have their default, too",
        store: { $0.emitsDefaults = true }),
      .flag(
        "allow-unknown-fields", .request,
        "skip fields of the request that its type does not have, instead of refusing them",
        store: { $0.allowsUnknownFields = true }),
    ] + SchemaOptions.all.map { $0.inside(\.schema) }
    + ServerOptions.all.map { $0.inside(\.server) }
}
