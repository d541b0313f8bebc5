import CloudLogging
import CommandLine
import CommandResources
package import CommandShell
import Tripwire
import WireSystem

package let doctorCommand = Command.calling(
  name: "doctor", summary: "check the connection to a server, step by step", operand: .resource,
  help: { help },
  request: { (line, options: DoctorOptions) throws(UsageError) in
    guard line.operands.count < 2 else {
      throw UsageError(
        message: "unexpected argument \(escaped(line.operands[1])): doctor takes one NAME")
    }
    if options.project != nil, let name = line.operands.first {
      throw .conflict("--cloud-logging", escaped(name))
    }
    return DoctorRequest(
      name: try line.operands.first.map { (text) throws(UsageError) in
        try resourceName(text, options.provider)
      }, options: options)
  },
  run: { (request, console) throws(ErrorReport) in try await request.run(console) })

struct DoctorOptions: ServerCommandOptions {
  var server = ServerOptions()
  var provider = ProviderOption()
  var isJSON = false
  /// The Cloud project whose logs are read; nil for none.
  var project: String?

  var api: GoogleAPI? { project.map { _ in GoogleAPI(host: LogReader.host) } }

  static let stepTimeout = Duration.seconds(5)

  static let all: [Option<DoctorOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print text (default) or json\njson is one object with endpoint, steps and exitCode. A step has"
          + " name, outcome and message and, as far as they apply, milliseconds, hint, certificates, settings,"
          + " claims and sources. The outcome is ok, info, warning, failed or skipped.",
        choice: Choice([("text", false), ("json", true)]), store: { $0.isJSON = $1 }),
      .value(
        "cloud-logging", "PROJECT", .common,
        "check that 'tripwire log' can fetch the logs of PROJECT\nThe steps are those of a call to Cloud Logging."
          + " The last one reads a log entry of the Cloud project, which needs the permission"
          + " logging.logEntries.list.",
        parse: Parse.providerID, store: { $0.project = $1 }
      ).excluding(["replay", "provider"]),
    ] + ProviderOption.all.map { $0.inside(\.provider) }
    + ServerOptions.all.map { option in
      (option.long == "timeout"
        ? option.described("stop each step after TIME, such as 500ms or 2m\nDefault: 5s.") : option)
        .inside(\.server)
    }
}

struct DoctorRequest: Sendable {
  /// The resource to get; nil for none.
  let name: ResourceName?
  let options: DoctorOptions

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let timeout = options.server.request.timeout ?? DoctorOptions.stepTimeout
    var options = options
    // The token is a step of its own, and each step has the whole timeout.
    options.server.request.timeout = timeout
    let all = options.server
    options.server.token = TokenOptions()
    options.server.token.usesDefault = false
    let last = Locked<DoctorOutput?>(nil)
    do throws(ErrorReport) {
      try await options.server.withServer(console, on: console.loop, isOnlyCall: false) {
        [options, all] (server) async throws(ErrorReport) in
        console.waitLine.show("checking \(server.endpoint)")
        var server = server
        server.configuration.connectTimeout = timeout
        var output = DoctorOutput(
          isJSON: options.isJSON, endpoint: server.endpoint, options.server.sources, console)
        var steps = DoctorSteps(
          server: server, name: name, project: options.project, options: all, timeout: timeout,
          console: console)
        try await steps.run { (step) throws(ErrorReport) in
          try output.add(step)
          last.withLock { [output] in $0 = output }
        }
      }
    } catch {
      // The steps up to the signal are known.
      if error.isSilent { _ = try last.withLock { $0 }?.end(error.exitCode) }
      throw error
    }
    return try last.withLock { $0 }?.end() ?? .success
  }
}

private let help = HelpText(
  usage: "tripwire doctor [NAME] [options]",
  about:
    "Checks each step of a call and prints a line for each, with the time that it took, if any. A hint follows a"
    + " failure or a warning. The steps are name resolution, TCP to each address, the proxy, TLS with the"
    + " certificates, ALPN, the HTTP/2 settings, the clock, and the token. The clock is compared with"
    + " the \"date\" header in the response to a health check. With NAME it also gets this trip,"
    + " vehicle, task or other resource. The exit code is that of the first failure. The token is not shown.",
  examples: [
    "tripwire doctor": "check the connection to Fleet Engine",
    "tripwire doctor providers/my-project/trips/t1":
      "get a trip with the credentials of this machine, too",
    "tripwire doctor --cloud-logging my-project": "check the access to Google's logs",
    "tripwire doctor --endpoint localhost:50051 --plaintext -o json": "",
  ], options: DoctorOptions.all,
  exitCodes: [
    ("0", "no step failed; there may be warnings"),
    ("1", "a local failure, such as a file that cannot be read or a token that has expired"),
  ]
    + ExitCode.table.dropFirst(2).map { row in
      // A step that takes too long is a failed connection.
      row.term == ExitCode.callTerm
        ? ExitCode.failedCall("Without a connection the code is 78") : row
    })
