import CommandLine
import CommandResources
import CommandShell
import Tripwire
import WireIO
import WireSystem

/// Runs the command line of this process as `tripwire relay`, and exits with its exit code.
package func runTripwireRelay() {
  runProgram { arguments, console in
    var console = console
    console.settings = { settings }
    switch arguments.first {
    case "--version": return console.print(BuildVersion().text)
    case ManualPages.command:
      return console.print(ManualPages.answer(Array(arguments.dropFirst()), of: relayCommand))
    case Completer.command:
      let completer = Completer(root: [relayCommand], console: console)
      return console.print(await completer.answer(Array(arguments.dropFirst())))
    default: return await relayCommand.run(arguments, console)
    }
  }
}

private let relayCommand = Command.group(
  name: relayName, summary: relaySummary,
  subcommands: [
    relayWorkCommand, relayWantCommand, relayUnwantCommand, relayStatusCommand, relayReadCommand,
    relayDrainCommand,
  ], missing: "start a worker: tripwire relay work", help: { relayHelp })

/// The options that profiles may contain.
private let settings = ProfileSettings(
  RelayWorkOptions.all.map(OptionDescription.init)
    + RelayWantOptions.all.map(OptionDescription.init))

/// The options of a command that uses NATS only.
struct RelayCommandOptions<Own: Sendable>: Sendable {
  var own: Own
  var relay = RelayServer()
  var profile: String?
  var output = OutputOptions()

  /// The options of the command, with those that all have.
  static func all(_ own: [Option<Own>]) -> [Option<RelayCommandOptions>] {
    own.map { $0.inside(\.own) } + RelayServer.relayOptions.map { $0.inside(\.relay) }
      + ProfileOption.all.map { $0.inside(\.profile) }
      + [OutputOptions.quiet, OutputOptions.version].map { $0.inside(\.output) }
  }
}

extension Command {
  /// A command that uses NATS only.
  static func relaying<Own: Sendable>(
    name: String, summary: String, operand: Operand, _ initial: Own,
    _ options: [Option<RelayCommandOptions<Own>>], help: @escaping @Sendable () -> HelpText,
    run:
      @escaping @Sendable (ParsedCommandLine, RelayCommandOptions<Own>, Console, EventLoop)
      async throws(ErrorReport) -> ExitCode
  ) -> Command {
    local(
      name: name, summary: summary, RelayCommandOptions(own: initial), options, operand: operand,
      shell: { ShellOptions(output: $0.output, usesProfiles: true, profile: $0.profile) },
      help: help,
      run: { (line, options, console) throws(ErrorReport) in
        options.relay.warnings.forEach(console.warn)
        return try await console.withRelayOnly { loop throws(ErrorReport) in
          try await run(line, options, console, loop)
        }
      })
  }
}

extension Console {
  /// The most memory of a command that uses NATS only, in bytes. libnats allocates the size that a server
  /// declares for a message, up to 2 GiB.
  private static let memoryLimit = 1 << 30

  /// Runs the body of a command that uses NATS only. A signal cancels it.
  func withRelayOnly<Success: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws(ErrorReport) -> Success
  ) async throws(ErrorReport) -> Success {
    let loop = try requiredLoop()
    ResourceLimits.limitMemory(to: Self.memoryLimit)
    return try await interruptible(on: loop) { () async throws(ErrorReport) -> Success in
      try await body(loop)
    }
  }
}

func relayNames(
  _ line: ParsedCommandLine, _ provider: ProviderOption, of command: String
) throws(ErrorReport) -> [ResourceName] {
  try ErrorReport.reporting(NameOperands.names(line, provider, of: command))
}

/// The exit codes of the commands that use NATS only.
let relayExitCodes: [(term: String, meaning: String)] =
  [("0", "success"), ("1", "a local failure, or a failure of NATS"), ("2", "invalid command line")]
  + ExitCode.table.dropFirst(3).filter { $0.term != ExitCode.callTerm }
