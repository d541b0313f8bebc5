/// The options of the commands that change resources.
struct ChangeOptions: ServerCommandOptions {
  /// The server and the data.
  var call = CallCommandOptions()
  var provider = ProviderOption()
  var isDryRun = false
  var isConfirmed = false

  var server: ServerOptions {
    get { call.server }
    set { call.server = newValue }
  }

  static let all: [Option<ChangeOptions>] =
    [
      .value(
        "data", short: "d", "JSON", .common,
        "send this JSON; @FILE reads FILE, - reads stdin",
        parse: { (text) throws(InvalidValue) in try RequestData(text) },
        store: { $0.call.data.append($1) }),
      CallCommandOptions.output.described(
        "print json (indented) or ndjson (one line)\nDefault: json on a terminal, otherwise ndjson."
      ).inside(\.call),
      ResponseFields.option { $0.call.fields = $1 },
      .flag(
        "dry-run", .common, "print the request as JSON and do not send it",
        store: { $0.isDryRun = true }),
      .flag("yes", .common, "do not ask for confirmation", store: { $0.isConfirmed = true }),
    ] + ProviderOption.all.map { $0.inside(\.provider) }
    + ServerOptions.all.map { $0.inside(\.call.server) }

  /// The options of one command. The others are parsed, too, so that the error names the command.
  static func accepted(by verb: ChangeVerb) -> [Option<ChangeOptions>] {
    let refused =
      switch verb {
      case .create, .update: ["yes"]
      case .delete: ["data", "output", "fields"]
      case .reportBillable: ["yes", "output", "fields"]
      }
    return all.filter { !refused.contains($0.long) }
  }
}
