import DynamicProtobuf
import Tripwire

let callCommand = Command.calling(
  name: "call", summary: "call any method of any service, with JSON", help: { help },
  request: { (line, options: CallCommandOptions) throws(UsageError) in
    try CallCommand(line, options)
  },
  run: { (command, console) throws(ErrorReport) in try await command.run(console) })

private struct CallCommand: Sendable {
  let name: MethodName
  let options: CallCommandOptions

  init(_ line: ParsedCommandLine, _ options: CallCommandOptions) throws(UsageError) {
    guard let operand = line.operands.first else {
      throw UsageError(
        message: "METHOD is missing",
        hint: "as in: tripwire call maps.fleetengine.v1.TripService/SearchTrips -d JSON")
    }
    guard line.operands.count == 1 else {
      throw UsageError(
        message: "one METHOD at a time: what is \(escaped(line.operands[1]))?",
        hint: "the request goes after -d, the server after --endpoint")
    }
    if options.data == .standardInput, options.server.token.source?.isStandardInput == true {
      throw UsageError(message: "-d and --token-file: only one of them can be read from stdin")
    }
    name = try MethodName(operand)
    self.options = options
  }

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let start = ContinuousClock.now
    let given = try options.schema.loaded(until: options.server.request.timeout.map { start + $0 })
    // Whoever reads stdout may keep us waiting: the connection has to go on meanwhile.
    return try await options.server.withServer(console, since: start, isShort: false) {
      (server) async throws(ErrorReport) -> ExitCode in
      let channel = try server.channel()
      let source = SchemaSource(given, options.server, server, channel)
      let (schema, found) = try await source.schema(for: name.symbols, name.find)
      guard let found else { throw ErrorReport(name.missing(from: schema), command: "call") }
      guard
        options.server.connection.namesServer
          || FleetEngineMethods.defaults[found.method.path] != nil
      else {
        throw ErrorReport(
          UsageError(
            message:
              "--endpoint is missing: \(found.method.path.dropFirst()) is not Fleet Engine's",
            hint: "name its server: --endpoint HOST:PORT"), command: "call")
      }
      if options.server.output.isVerbose {
        console.error("* method \(found.method.path.dropFirst()) (from \(schema.origin))\n")
      }
      try await Invocation(
        method: found.method, pool: schema.pool, options: options, server: server,
        channel: channel, console: console
      ).run()
      return .success
    }
  }
}

private let help =
  HelpText(
    usage: "tripwire call METHOD [-d JSON] [options]",
    about:
      "Calls a method with requests in JSON and writes its answers to stdout in JSON. METHOD is"
      + " SERVICE/METHOD; the package, or the service too, may be left out where that leaves one."
      + " Types come from --protoset alone if it is given. Otherwise whole names of Fleet Engine are"
      + " known; what else is named, the server of --endpoint is asked for first, by reflection.",
    sections: [
      HelpText.Section(
        title: "Examples",
        rows: [
          ("tripwire call TripService/SearchTrips -d '{\"parent\": \"providers/p\"}'", ""),
          ("tripwire call pkg.Greeter/Hello -d @request.json --endpoint localhost:50051", ""),
          ("produce | tripwire call pkg.Log/Write -d - --protoset log.pb --endpoint HOST", ""),
        ])
    ] + HelpText.sections(of: CallCommandOptions.all) + [
      HelpText.Section(title: "Exit codes", rows: ExitCode.table)
    ]
  ).description
