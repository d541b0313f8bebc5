import WireSystem

/// The options of a command that calls a server.
protocol ServerCommandOptions: Sendable {
  init()
  var server: ServerOptions { get set }
  /// Whether the command calls a server. Otherwise the options for it are not checked.
  var callsServer: Bool { get }
  /// Whether the command may run for hours, so that its warnings are written at once.
  var isLongRunning: Bool { get }
  /// Warnings that are written before the command runs.
  var warnings: [String] { get }
  static var all: [Option<Self>] { get }
}

extension ServerCommandOptions {
  var callsServer: Bool { true }
  var isLongRunning: Bool { false }
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
      if format == .json {
        console.jsonWarnings = JSONWarnings(isImmediate: options.isLongRunning)
      }
      let wanted: Request
      do throws(ErrorReport) {
        wanted = try await options.request(line, of: name, request)
      } catch {
        var report = line.withSources(error).namingTimeout
        if format == .json, !console.isQuiet { report.warnings = options.warnings }
        return console.report(report, as: format)
      }
      options.warnings.forEach(console.warn)
      exitOnSignals()
      let running = console
      do throws(ErrorReport) {
        let code = try await run(wanted, running)
        running.writePendingWarnings()
        return code
      } catch {
        if error.isSilent {
          running.writePendingWarnings()
          return error.exitCode
        }
        var report = line.withSources(error).namingTimeout
        report.warnings = running.jsonWarnings?.take() ?? []
        return console.report(report, as: format)
      }
    }
  }
}

extension ErrorReport {
  /// The report, with `--timeout` in the hint about a file that was not read before the deadline.
  fileprivate var namingTimeout: ErrorReport {
    guard let late = FileReadError.tooLate.hint, hint == late else { return self }
    var report = self
    report.hint = late + ", or raise --timeout"
    return report
  }
}

extension ServerCommandOptions {
  /// Checks the options, reads the files with headers, and makes the request.
  fileprivate mutating func request<Request>(
    _ line: ParsedCommandLine, of command: String,
    _ make: (ParsedCommandLine, Self) throws(UsageError) -> Request
  ) async throws(ErrorReport) -> Request {
    var request = try checked(line, command, make)
    guard callsServer else { return request }
    if !server.request.headerFiles.isEmpty {
      try server.request.readHeaderFiles()
      // The request has the headers, and they may contradict other options.
      request = try checked(line, command, make)
    }
    if let error = await server.cleartextTokenError() {
      throw ErrorReport(error, command: command)
    }
    return request
  }

  private func checked<Request>(
    _ line: ParsedCommandLine, _ command: String,
    _ make: (ParsedCommandLine, Self) throws(UsageError) -> Request
  ) throws(ErrorReport) -> Request {
    do throws(UsageError) {
      if let error = line.error { throw error }
      if callsServer, let error = server.contradiction { throw error }
      if let error = line.outputConflict() { throw error }
      return try make(line, self)
    } catch {
      throw ErrorReport(error, command: command)
    }
  }
}

/// Whether an operand is `HOST:PORT`, and neither the name of a method or type nor JSON.
func isServer(_ operand: String) -> Bool {
  operand.contains(":") && !operand.contains { "{}\" ".contains($0) }
}
