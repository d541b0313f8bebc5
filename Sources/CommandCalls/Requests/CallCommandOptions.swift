package import CommandLine
package import CommandShell

package struct CallCommandOptions: ServerCommandOptions {
  package var server = ServerOptions()
  package var schema = SchemaOptions()
  /// The values of -d. If there are none, the command sends an empty request, or none to a client-streaming method.
  package var data: [RequestData] = []
  /// The largest number of unary calls at a time; nil if it was not given.
  var parallel: Int?
  /// Whether a failed unary call does not end the others.
  var keepsGoing = false
  /// Whether a single response is indented. Several responses are one a line. Nil selects the format by the
  /// terminal.
  package var indents: Bool?
  package var emitsDefaults = false
  var allowsUnknownFields = false
  /// The paths of --fields; nil prints all fields.
  package var fields: [String]?

  package init() {}

  package var warnings: [String] { server.tls.warnings + schema.protos.warnings }

  /// The given option that is only for unary methods; nil if there is none.
  package var optionOfUnary: String? {
    parallel != nil ? "--parallel" : keepsGoing ? "--keep-going" : nil
  }

  /// Whether the JSON of a single message is indented: by default on a terminal.
  package func isIndented(on console: Console) -> Bool {
    indents ?? console.outputIsTerminal()
  }

  package static let output = Option<CallCommandOptions>.value(
    "output", short: "o", "FORMAT", .common,
    "print json (indented) or ndjson (one line each)\njson prints several responses one a line: those"
      + " of a stream, of several requests, and of requests in a pipe. Default: json on a"
      + " terminal, otherwise ndjson.",
    choice: Choice([("json", true), ("ndjson", false)]), store: { $0.indents = $1 })

  package static let all: [Option<CallCommandOptions>] =
    [
      .value(
        "data", short: "d", "JSON", .common,
        "send this JSON; @FILE reads FILE, - stdin (repeatable)\nEach JSON value is a request: a"
          + " unary method is called once for each, and a client-streaming method gets each as soon as it is"
          + " read. Default: an empty request; for a client-streaming method, none.",
        parse: { (text) throws(InvalidValue) in try RequestData(text) },
        store: { $0.data.append($1) }),
      output.inProfiles(),
      ResponseFields.option { $0.fields = $1 }.excluding(["emit-defaults"]),
      .value(
        "parallel", "N", .request,
        "make up to N calls of a unary method at a time\nDefault: 1. The"
          + " responses are in the order of the requests.",
        parse: Parse.count(1...1000), store: { $0.parallel = $1 }),
      .flag(
        "keep-going", .request,
        "continue with the next request after a failed call\nThe exit code is that"
          + " of the first failure.",
        store: { $0.keepsGoing = true }),
      .flag(
        "emit-defaults", .request, "print fields that have their default value, too",
        store: { $0.emitsDefaults = true }),
      .flag(
        "allow-unknown-fields", .request,
        "ignore unknown fields in the request",
        store: { $0.allowsUnknownFields = true }),
    ] + SchemaOptions.all.map { $0.inside(\.schema) }
    + ServerOptions.all.map { $0.inside(\.server) }
}
