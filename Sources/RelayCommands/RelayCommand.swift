import CommandLine
import CommandShell
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
  ], missing: "start a worker: tripwire relay work", help: { relayHelp })

/// The options that profiles may contain.
private let settings = ProfileSettings(
  RelayWorkOptions.all.map(OptionDescription.init)
    + RelayCommandOptions<RelayWantOptions>.all(RelayWantOptions.all).map(OptionDescription.init))

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
  /// The most memory of a command that uses NATS only, in bytes. libnats allocates the size that a server
  /// declares for a message, up to 2 GiB.
  private static let memoryLimit = 1 << 30

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
        let loop = try console.requiredLoop()
        options.relay.warnings.forEach(console.warn)
        ResourceLimits.limitMemory(to: memoryLimit)
        return try await interruptible(on: loop) { () async throws(ErrorReport) -> ExitCode in
          try await run(line, options, console, loop)
        }
      })
  }
}
