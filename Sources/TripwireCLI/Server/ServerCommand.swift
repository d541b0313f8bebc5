import WireSystem

/// The options of a command that calls a server.
protocol ServerCommandOptions: Sendable {
  init()
  var server: ServerOptions { get set }
  /// Whether the command calls a server. Otherwise the options for it are not checked.
  var callsServer: Bool { get }
  /// Warnings that are written before the command runs.
  var warnings: [String] { get }
  static var all: [Option<Self>] { get }
}

extension ServerCommandOptions {
  var callsServer: Bool { true }
  var warnings: [String] { callsServer ? server.tls.warnings : [] }
}

extension Command {
  /// A command that calls a server.
  ///
  /// - Parameters:
  ///   - takesServer: whether the first operand may be the server of --endpoint, as for grpcurl.
  ///   - request: makes a request from the command line.
  ///   - run: carries out the request, and writes to stdout.
  static func calling<Options: ServerCommandOptions, Request: Sendable>(
    name: String, summary: String, operand: Operand, takesServer: Bool = false,
    help: @escaping @Sendable () -> HelpText,
    request: @escaping @Sendable (ParsedCommandLine, Options) throws(UsageError) -> Request,
    run: @escaping @Sendable (Request, Console) async throws(ErrorReport) -> ExitCode
  ) -> Command {
    Command(name: name, summary: summary, operand: operand, help: help) { (arguments, console) in
      var options = Options()
      var line = parse(
        arguments, Options.all, into: &options, environment: console.environment)
      if let form = line.help { return console.print(help(), form, of: name) }
      if takesServer, let server = line.operands.first, isServer(server), line.error == nil {
        let other = line.sources["endpoint"] == .option ? "--endpoint" : "--replay"
        let isContrary = other == "--endpoint" || options.server.connection.replay != nil
        options = Options()
        line = parse(
          ["--endpoint", server] + arguments, Options.all, into: &options,
          environment: console.environment)
        line.operands.removeFirst()
        options.server.connection.endpointIsOperand = true
        do throws(InvalidValue) {
          _ = try Parse.endpoint(server)
        } catch {
          line.error = UsageError(error, in: server, of: "HOST:PORT ")
        }
        if isContrary { line.error = .conflict(escaped(server), other) }
      }
      if options.server.output.wantsVersion { return console.print(BuildVersion().text) }
      if line.error == nil {
        do throws(ErrorReport) {
          try line.apply(
            profile: options.server.profile, Options.all, into: &options,
            environment: console.environment)
        } catch {
          return console.report(error, as: options.server.output.errorFormat)
        }
      }
      options.server.sources = line.sources
      var console = console
      console.isQuiet = options.server.output.isQuiet
      console.color = options.server.output.color
      let format = options.server.output.errorFormat
      if options.server.output.isVerbose, let note = line.note {
        console.error("* \(escaped(note))\n")
      }
      // After a failure, JSON on stderr is one object, which contains the warnings.
      let warnings = options.warnings
      let wanted: Request
      do throws(UsageError) {
        if let error = line.error { throw error }
        if options.callsServer, let error = options.server.contradiction { throw error }
        wanted = try request(line, options)
        if options.callsServer, let error = await options.server.cleartextTokenError() {
          throw error
        }
      } catch {
        var report = line.withSources(ErrorReport(error, command: name))
        if format == .json { report.warnings = warnings }
        return console.report(report, as: format)
      }
      if format == .text { warnings.forEach(console.warn) }
      exitOnSignals()
      let running = console
      do throws(ErrorReport) {
        let code = try await run(wanted, running)
        if format == .json { warnings.forEach(console.warn) }
        return code
      } catch {
        if error.isSilent { return error.exitCode }
        var report = line.withSources(error)
        if let hint = FileReadError.tooLate.hint, report.hint == hint {
          report.hint = hint + ", or raise --timeout"
        }
        if format == .json { report.warnings = warnings }
        return console.report(report, as: format)
      }
    }
  }
}

/// Whether an operand is `HOST:PORT`, and neither the name of a method or type nor JSON.
func isServer(_ operand: String) -> Bool {
  operand.contains(":") && !operand.contains { "{}\" ".contains($0) }
}
