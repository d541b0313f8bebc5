package import CommandLine
import WireSystem

/// The options of a command that calls a server: the shared options and its own.
package protocol ServerCommandOptions: Sendable {
  init()
  var server: ServerOptions { get set }
  /// Whether the command calls a server. Otherwise the options for it are not checked.
  var callsServer: Bool { get }
  /// Whether the command only reads and writes files: variables and profiles do not apply, and signals end it as they
  /// end any program.
  var isLocal: Bool { get }
  /// The API that the command calls in place of Fleet Engine; nil for none.
  var api: GoogleAPI? { get }
  /// Whether the command may run for hours, so that its warnings are written at once.
  var isLongRunning: Bool { get }
  /// Warnings that are written before the command runs.
  var warnings: [String] { get }
  static var all: [Option<Self>] { get }
}

extension ServerCommandOptions {
  package var callsServer: Bool { true }
  package var isLocal: Bool { false }
  package var api: GoogleAPI? { nil }
  package var isLongRunning: Bool { false }
  package var warnings: [String] { callsServer ? server.tls.warnings : [] }
}

extension Command {
  /// A command that calls a server.
  ///
  /// - Parameter takesServer: whether the first operand may be the server of --endpoint, as for grpcurl.
  package static func calling<Options: ServerCommandOptions, Request: Sendable>(
    name: String, summary: String, operand: Operand, takesServer: Bool = false,
    help: @escaping @Sendable () -> HelpText,
    request: @escaping @Sendable (ParsedCommandLine, Options) throws(UsageError) -> Request,
    run: @escaping @Sendable (Request, Console) async throws(ErrorReport) -> ExitCode
  ) -> Command {
    parsing(
      name: name, summary: summary, operand: operand, help: help, Options.all,
      read: { (arguments, _, console) in
        Options.parsed(arguments, takesServer: takesServer, environment: console.environment)
      },
      shell: \.shell,
      run: { (line, options, console) throws(ErrorReport) in
        do throws(ErrorReport) {
          var options = options
          options.server.sources = line.sources
          // The token of the profile, which is not for this server, may have been a narrower one.
          if line.note != nil { options.server.token.usesDefault = false }
          if let api = options.api {
            options.server = try ErrorReport.reporting(options.server.calling(api))
          }
          let wanted = try await options.request(line, request)
          options.warnings.forEach(console.warn)
          if !options.isLocal { exitOnSignals() }
          return try await run(wanted, console)
        } catch {
          throw error.namingTimeout
        }
      })
  }
}

extension ErrorReport {
  /// The report, with `--timeout` in the hint about a file that was not read before the deadline.
  package var namingTimeout: ErrorReport {
    guard case .file(.tooLate) = cause, let hint else { return self }
    var report = self
    report.hint = hint + ", or raise --timeout"
    return report
  }
}

extension ServerCommandOptions {
  fileprivate var shell: ShellOptions {
    ShellOptions(
      output: server.output, usesProfiles: !isLocal, profile: server.profile,
      isLongRunning: isLongRunning)
  }

  /// - Parameter takesServer: whether the first operand may be the server of --endpoint.
  package static func parsed(
    _ arguments: [String], takesServer: Bool, environment: (String) -> String?
  ) -> (ParsedCommandLine, Self) {
    var options = Self()
    var line = parse(arguments, all, into: &options, environment: environment)
    if options.isLocal || options.api != nil {
      let isLocal = options.isLocal
      options = Self()
      line = parse(arguments, all, into: &options) {
        isLocal || GoogleAPI.unusedVariables.contains($0) ? nil : environment($0)
      }
    }
    guard takesServer, let server = line.operands.first, isServer(server), line.error == nil
    else { return (line, options) }
    let other = line.sources["endpoint"] == .option ? "--endpoint" : "--replay"
    let isContrary = other == "--endpoint" || options.server.connection.replay != nil
    options = Self()
    line = parse(
      ["--endpoint", server] + arguments, all, into: &options, environment: environment)
    line.operands.removeFirst()
    options.server.connection.endpointIsOperand = true
    do throws(InvalidValue) {
      _ = try Parse.endpoint(server)
    } catch {
      line.error = UsageError(error, in: server, of: "HOST:PORT ")
    }
    if isContrary { line.error = .conflict(escaped(server), other) }
    return (line, options)
  }

  /// Checks the options, reads the files with headers, and makes the request, which may read names from stdin.
  fileprivate mutating func request<Request>(
    _ line: ParsedCommandLine, _ make: (ParsedCommandLine, Self) throws(UsageError) -> Request
  ) async throws(ErrorReport) -> Request {
    if callsServer {
      if let error = server.contradiction { throw ErrorReport(error) }
      // Headers on stdin exclude names there, which is checked before stdin is read.
      if server.request.readsStandardInput { _ = try ErrorReport.reporting(make(line, self)) }
      try server.request.readHeaderFiles()
      // The headers of files may contradict other options.
      if let error = server.contradiction { throw ErrorReport(error) }
    }
    let request = try ErrorReport.reporting(make(line, self))
    if callsServer, let error = await server.cleartextTokenError() { throw ErrorReport(error) }
    return request
  }
}

/// Whether an operand is `HOST:PORT`, and neither the name of a method or type nor JSON.
func isServer(_ operand: String) -> Bool {
  operand.contains(":") && !operand.contains { "{}\" ".contains($0) }
}
