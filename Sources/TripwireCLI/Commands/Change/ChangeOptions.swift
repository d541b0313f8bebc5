/// The options of the commands that change resources.
struct ChangeOptions: ServerCommandOptions {
  /// Has the server and the data.
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
        "send this resource; @FILE reads FILE, - reads stdin",
        parse: { (text) throws(BadValue) in try RequestData(text) }, store: { $0.call.data = $1 }),
      .flag(
        "dry-run", .common, "print the request as JSON and do not send it",
        store: { $0.isDryRun = true }),
      .flag("yes", .common, "delete: do not ask", store: { $0.isConfirmed = true }),
    ] + ProviderOption.all.map { $0.inside(\.provider) }
    + ServerOptions.all.map { $0.inside(\.call.server) }
}
