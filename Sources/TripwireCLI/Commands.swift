import CallCommands
import CommandCalls
import CommandLine
import CommandShell
import EmulatorCommands
import FleetCommands
import RecordingCommands
import SettingsCommands
import TokenCommands
import WireGRPC

/// In the order of the help.
let allCommands = [
  getCommand, searchCommand, followCommand, mapCommand,
  HelperProgram.relay,
  createCommand, updateCommand, deleteCommand, reportBillableCommand,
  callCommand, listCommand, describeCommand, emulateCommand, driveCommand, replayCommand,
  logCommand,
  tokenCommand,
  configCommand { profileSettings }, doctorCommand, completionCommand, versionCommand,
]

/// The options that profiles may contain.
let profileSettings = ProfileSettings(
  GetOptions.all.map(OptionDescription.init) + FollowOptions.all.map(OptionDescription.init)
    + MapCommandOptions.all.map(OptionDescription.init)
    + RelayServer.relayOptions.map(OptionDescription.init)
    + CallCommandOptions.all.map(OptionDescription.init)
    + SchemaCommandOptions.all.map(OptionDescription.init)
    + MintOptions.all.map(OptionDescription.init))

/// Runs the command line of this process, and exits with its exit code.
package func runTripwire() {
  runProgram(tripwire)
}

/// Runs a command line, which is given without the program's name.
func tripwire(_ arguments: [String], _ console: Console) async -> ExitCode {
  var console = console
  console.settings = { profileSettings }
  return await dispatch(arguments, console)
}

private func dispatch(_ arguments: [String], _ console: Console) async -> ExitCode {
  switch arguments.first {
  case nil:
    console.error(conciseHelp)
    return .usage
  case "--version", "-version":
    return console.print(BuildVersion().text)
  case "-h":
    return console.print(tripwireHelp, .brief, of: nil)
  case "--help", "-help":
    return console.print(tripwireHelp, .full, of: nil)
  case "help":
    return await dispatch(arguments.dropFirst().prefix(2) + ["--help"], console)
  case Completer.command where arguments.count > 3 && arguments[1] == relayName:
    // The program of the command knows the options of its subcommands. Without it there are none.
    _ = HelperProgram.run(relayName, arguments, path: console.environment("PATH"))
    return .success
  case Completer.command:
    let completer = Completer(root: allCommands, console: console)
    return console.print(await completer.answer(Array(arguments.dropFirst())))
  case ManualPages.command:
    return console.print(
      ManualPages.answer(Array(arguments.dropFirst()), of: allCommands, tripwireHelp))
  case let name?:
    if let command = Command.named(name, among: allCommands) {
      return await command.run(Array(arguments.dropFirst()), console)
    }
    if let report = HelperProgram.run(
      name, Array(arguments.dropFirst()), path: console.environment("PATH"))
    {
      return console.report(report, as: .text)
    }
    let error = unknown(name, before: arguments.dropFirst())
    return console.report(ErrorReport(error), as: .text)
  }
}

/// Returns the error for an option before the command.
private func misplacedOption(_ word: String, before rest: ArraySlice<String>) -> UsageError {
  let options = CallCommandOptions.all
  let name = LongOptions.name(in: word).drop { $0 == "-" }
  let short = options.first { Set(name).count == 1 && $0.short == name.first }
  let option =
    ForeignOption.replacement(of: word, among: options)
    ?? short.map { "-\(name)" + ($0.argument.map { " " + $0 } ?? "") }
  let isKnown = short != nil || options.contains { $0.long == name }
  return UsageError(
    message: isKnown
      ? "\(escaped(word)) is before the command" : "unknown option \(escaped(word))",
    hint: option.map { "put options after the command: \(example(of: rest)) \($0)" })
}

/// Returns the start of a command line with the command that the user typed: "tripwire get NAME".
private func example(of words: ArraySlice<String>) -> String {
  let index = words.firstIndex { Command.named($0, among: allCommands) != nil }
  guard let index, let command = Command.named(words[index], among: allCommands) else {
    return "tripwire call METHOD"
  }
  var subcommands = command.subcommands.map(\.lastWord)
  if case .choice(let names) = command.operand { subcommands = names }
  let next = words[(index + 1)...].first.flatMap { subcommands.contains($0) ? $0 : nil }
  return ["tripwire", command.name, next ?? command.operand.placeholder].compactMap(\.self)
    .joined(separator: " ")
}

private func unknown(_ word: String, before rest: ArraySlice<String>) -> UsageError {
  if word.hasPrefix("-") { return misplacedOption(word, before: rest) }
  let hint: String? =
    if word.hasPrefix("providers/") {
      "did you mean: tripwire get \(escaped(word))"
    } else if (try? HostAndPort(word))?.port != nil {
      UsageError.hint(forServer: word, in: "tripwire list ")
    } else if word.contains("/"), (try? MethodName(word)) != nil {
      "did you mean: tripwire call \(escaped(word))"
    } else {
      nearest(to: word, among: allCommands.map(\.name)).map { "did you mean: tripwire \($0)" }
    }
  return UsageError(message: "unknown command \(shown(word))", hint: hint)
}

private let usage = "tripwire COMMAND [options]"

private let conciseHelp = """
  tripwire gets trips, vehicles and deliveries from Google Maps Fleet Engine, and
  calls any other gRPC service.

  usage: \(usage)

    tripwire get providers/my-project/trips/t1

  \(wrapped(commandList, width: 80).joined(separator: "\n"))

  """

private let commandList =
  "Commands: \(allCommands.map(\.name).joined(separator: ", ")). Run 'tripwire --help'."

let tripwireHelp =
  HelpText(
    usage: usage,
    about: "Gets trips, vehicles and deliveries from Google Maps Fleet Engine, and calls any other"
      + " gRPC service. Long options may also have one dash, as for grpcurl: -plaintext.",
    examples: [
      "tripwire get providers/my-project/trips/t1":
        "print a trip as JSON, with the credentials of this machine",
      "tripwire get providers/my-project/vehicles/v1 -o text": "print a vehicle as readable text",
      "tripwire call pkg.Greeter/Hello --endpoint localhost:50051 --plaintext":
        "call any server that has reflection",
      "tripwire get --help": "print the help for a command",
    ],
    sections: [
      HelpText.Section(title: HelpText.commands, rows: allCommands.map { ($0.name, $0.summary) }),
      HelpText.Section(
        title: "Options",
        rows: [
          ("-h, --help", "print this help, or the help for a command"),
          ("--version", "print the version"),
        ]),
    ], exitCodes: ExitCode.table)
