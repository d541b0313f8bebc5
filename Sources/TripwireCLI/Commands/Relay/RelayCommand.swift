import Tripwire
import WireIO
import WireSystem

/// Runs the command line of this process as `tripwire relay`, and exits with its exit code.
package func runTripwireRelay(_ engine: any RelayEngine) {
  runProgram { arguments, console in await relayCommand(engine).run(arguments, console) }
}

func relayCommand(_ engine: any RelayEngine) -> Command {
  let group = Command.group(
    name: relayName, summary: relaySummary,
    subcommands: [
      relayWorkCommand(engine), relayWantCommand(engine), relayUnwantCommand(engine),
      relayStatusCommand(engine), relayReadCommand(engine),
    ], missing: "start a worker: tripwire relay work", help: { relayHelp })
  return Command(
    name: group.name, summary: group.summary, help: group.help, subcommands: group.subcommands
  ) { (arguments, console) in
    if arguments.first == "--version" { return console.print(BuildVersion().text) }
    if arguments.first == ManualPage.command {
      return console.print(ManualPage.answer(Array(arguments.dropFirst()), of: group))
    }
    if arguments.first == Completer.command {
      let completer = Completer(
        root: [group], profiles: { ConfigFile.profileNames(console.environment) })
      return console.print(await completer.answer(Array(arguments.dropFirst())))
    }
    return await group.run(arguments, console)
  }
}

let relayName = "relay"

let relaySummary = "poll resources for any number of readers, through NATS"

/// For completion.
let relaySubcommands = ["work", "want", "unwant", "status", "read"]

let relayHelp =
  HelpText(
    usage: "tripwire relay COMMAND [options]",
    about:
      "Shares trips, vehicles, tasks and shipments through NATS: one worker polls each"
      + " requested resource, and any number of readers receive the changes. It needs nats-server with"
      + " JetStream, and the program tripwire-relay.",
    sections: [
      HelpText.Section(
        title: HelpText.examples,
        rows: [
          ("tripwire relay work --token-file token.jwt", "start a worker"),
          ("tripwire relay want providers/p/trips/t1 --for 1h", "poll a trip for an hour"),
          ("tripwire relay status", "show the workers"),
        ]),
      HelpText.Section(
        title: "Commands",
        rows: [
          ("work", "run a worker, which polls a share of the resources"),
          ("want", "request that the workers poll resources"),
          ("unwant", "withdraw the request of 'relay want'"),
          ("status", "show the workers"),
          ("read", "write the states of resources to stdout"),
        ]),
    ], options: [.help])

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
      help: help
    ) { (line, options, console) throws(ErrorReport) in
      if let error = options.relay.contradiction { throw ErrorReport(error) }
      let loop = try console.requiredLoop()
      ResourceLimits.limitMemory(to: memoryLimit)
      return try await interruptible(on: loop) { () async throws(ErrorReport) -> ExitCode in
        try await run(line, options, console, loop)
      }
    }
  }
}

extension Console {
  /// - Throws: ``ErrorReport`` if the program has no event loop, which does not occur.
  func requiredLoop() throws(ErrorReport) -> EventLoop {
    guard let loop else {
      throw ErrorReport(
        local: "the event loop did not start", hint: "report this as a bug in tripwire")
    }
    return loop
  }

  /// Reports a problem of the relay that does not end the command.
  func report(_ failure: RelayFailure) {
    warn(failure.message)
    if let hint = failure.hint, !isQuiet { error("hint: \(escaped(hint))\n") }
  }
}

extension ErrorReport {
  init(_ failure: RelayFailure) {
    self.init(local: escaped(failure.message), hint: failure.hint)
  }
}
