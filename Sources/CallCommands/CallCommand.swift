import CommandCalls
import CommandLine
package import CommandShell
import DynamicProtobuf
import Tripwire

package let callCommand = Command.calling(
  name: "call", summary: "call any method of any service, with JSON", operand: .method,
  takesServer: true,
  help: { help },
  request: { (line, options: CallCommandOptions) throws(UsageError) in
    try CallCommand(line, options)
  },
  run: { (command, console) throws(ErrorReport) in try await command.run(console) })

private struct CallCommand: Sendable {
  let name: MethodName
  /// `FIELD=VALUE`.
  let fields: [String]
  let options: CallCommandOptions

  init(_ line: ParsedCommandLine, _ options: CallCommandOptions) throws(UsageError) {
    guard let operand = line.operands.first else {
      throw UsageError(
        message: "METHOD is missing",
        hint: "pass a method: tripwire call maps.fleetengine.v1.TripService/SearchTrips -d JSON")
    }
    let rest = line.operands.dropFirst()
    let words = rest.filter { Parse.path(in: $0) == nil }
    if let word = words.first {
      let isSplitJSON = options.data.contains(where: \.isSplitJSON)
      let hasServer = ["endpoint", "replay"].contains { line.sources[$0] == .option }
      let server = isSplitJSON || hasServer ? nil : words.first(where: Self.isServer)
      throw UsageError(
        message:
          "unexpected argument \(escaped(server ?? word)): after METHOD, call takes only FIELD=VALUE",
        hint: isSplitJSON
          ? "put the JSON in single quotes: -d '{…}'"
          : server.map { UsageError.hint(forServer: $0) }
            ?? (hasServer
              ? FieldArguments.hint(for: word) ?? "pass the request with -d"
              : "pass the request with -d and the server with --endpoint"))
    }
    if let argument = rest.first, !options.data.isEmpty { throw .conflict(escaped(argument), "-d") }
    fields = Array(rest)
    if let error = options.data.contradiction(with: options.server) { throw error }
    let reader = options.data.contains(.standardInput) ? "request is" : options.server.standardInput
    if let error = options.schema.contradiction(withStandardInputFor: reader) { throw error }
    name = try MethodName(operand)
    self.options = options
  }

  /// Whether an operand is HOST:PORT, as grpcurl takes it, and neither a method nor JSON.
  private static func isServer(_ operand: String) -> Bool {
    operand.utf8.contains(UInt8(ascii: ":"))
      && !operand.utf8.contains { Array("{}[]\" ".utf8).contains($0) }
  }

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let start = ContinuousClock.now
    let given = try await options.schema.loaded(
      until: options.server.request.timeout.map { start + $0 })
    // A slow reader of stdout must not hold up the connection.
    return try await options.server.withServer(console, on: nil, since: start) {
      (server) async throws(ErrorReport) -> ExitCode in
      let channel = try server.channel()
      let source = SchemaSource(
        given, options.server, server, channel, isForCall: true, warn: console.warn)
      let (schema, found) = try await source.schema(for: name.symbols, of: name.text, name.find)
      let lookup = SymbolLookup(schema.origin, options.schema, options.server)
      guard let found else {
        throw ErrorReport(name.missing(from: schema, options.server, lookup))
      }
      guard
        options.server.connection.namesServer
          || FleetMethod.all[found.method.path] != nil
      else {
        throw .usage(
          "--endpoint is missing: \(found.method.path.dropFirst()) is not a Fleet Engine method",
          hint: "pass the server with --endpoint HOST:PORT")
      }
      if options.server.output.isVerbose {
        console.error("* method \(found.method.path.dropFirst()) (from \(schema.origin))\n")
      }
      var options = options
      let answerFields: ResponseFields?
      do throws(UsageError) {
        if !fields.isEmpty {
          let arguments = FieldArguments(of: found.method.input, in: schema.pool, lookup)
          options.data = [.text(try arguments.request(fields).json)]
        }
        answerFields = try options.fields.map { (paths) throws(UsageError) in
          try ResponseFields(paths, of: found.method.output, in: schema.pool, lookup)
        }
      } catch {
        throw ErrorReport(error)
      }
      if let option = options.optionOfUnary, let kind = found.method.streams {
        let method = found.method.path.dropFirst()
        throw ErrorReport(
          .conflict(option, "\(method), which \(kind)", hint: "remove \(option)"))
      }
      return try await Invocation(
        method: found.method, pool: schema.pool, lookup: lookup, options: options,
        fields: answerFields, server: server, channel: channel, console: console,
        detailTypes: { await source.detailTypes(for: $0, of: schema) }
      ).run()
    }
  }
}

private let help = HelpText(
  usage: "tripwire call [HOST:PORT] METHOD [-d JSON | FIELD=VALUE...] [options]",
  about:
    "Calls a method with JSON requests and prints its responses as JSON. METHOD is SERVICE/METHOD;"
    + " the package and the service may be omitted if the rest is unambiguous. With --protoset"
    + " or --proto, names are looked up in these files and then among the built-in descriptors."
    + " Without these options, a full name that is built in always means the built-in method. tripwire looks"
    + " up other names by server reflection if --endpoint is given, and then among the built-in"
    + " descriptors. HOST:PORT is the same as --endpoint HOST:PORT."
    + " FIELD=VALUE sets a field that JSON writes as a string, number or boolean; a.b=VALUE sets the"
    + " field b of the message in a. Pass one FIELD=VALUE for each value of a repeated field.",
  examples: [
    "tripwire call TripService/SearchTrips -d '{\"parent\": \"providers/p\"}'": "",
    "tripwire call TripService/SearchTrips parent=providers/p vehicle_id=v1": "",
    "tripwire call localhost:50051 pkg.Greeter/Hello -d @request.json --plaintext": "",
    "tripwire call GetTrip -d - --parallel 8 < requests.jsonl": "make a call for each line",
    "tripwire call pkg.Log/Write -d - --protoset log.pb --endpoint HOST < log.jsonl": "",
  ], options: CallCommandOptions.all, exitCodes: ExitCode.table)
