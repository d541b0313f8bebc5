import Tripwire
import WireGRPC
import WireTransport

/// One subcommand.
struct Command: Sendable {
  let name: String
  /// A short description for the list of commands.
  let summary: String
  let operand: Operand
  let help: @Sendable () -> HelpText
  let subcommands: [Command]
  /// Runs the command with the arguments after its name.
  let run: @Sendable ([String], Console) async -> ExitCode

  init(
    name: String, summary: String, operand: Operand = .other,
    help: @escaping @Sendable () -> HelpText, subcommands: [Command] = [],
    run: @escaping @Sendable ([String], Console) async -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.help = help
    self.subcommands = subcommands
    self.run = run
  }

  static let all = [
    getCommand, searchCommand, followCommand, mapCommand,
    HelperProgram.command(
      relayName, summary: relaySummary, operand: .choice(relaySubcommands), help: { relayHelp }),
    createCommand, updateCommand, deleteCommand, reportBillableCommand,
    callCommand, listCommand, describeCommand, replayCommand, logCommand, tokenCommand,
    configCommand, doctorCommand, completionCommand, versionCommand,
  ]

  /// Returns the command that a user types as `word`: its name, or "ls" for "list".
  static func named(_ word: String, among commands: [Command] = all) -> Command? {
    let name = word == "ls" ? "list" : word
    return commands.first { $0.name == name }
  }
}

/// The kind of a command's operands, for completion.
enum Operand: Sendable {
  case resource
  /// The resource to change, and its fields.
  case change(ChangeVerb)
  case method
  case service
  case symbol
  case file
  case choice([String])
  case profile
  /// The key of a setting in a profile, and perhaps its value.
  case setting
  case other

  /// The operand in an example of a command line; nil if a command may have none.
  fileprivate var placeholder: String? {
    switch self {
    case .resource, .change: "NAME"
    case .method: "METHOD"
    case .file: "FILE"
    case .service, .symbol, .choice, .profile, .setting, .other: nil
    }
  }
}

/// Runs a command line, which is given without the program's name.
func tripwire(_ arguments: [String], _ console: Console) async -> ExitCode {
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
    return await tripwire(arguments.dropFirst().prefix(2) + ["--help"], console)
  case Completer.command where arguments.count > 3 && arguments[1] == relayName:
    // The program of the command knows the options of its subcommands. Without it there are none.
    _ = HelperProgram.run(relayName, arguments, path: console.environment("PATH"))
    return .success
  case Completer.command:
    let completer = Completer(
      profiles: { ConfigFile.profileNames(console.environment) },
      serverSchema: ServerSchema(console: console).schema)
    return console.print(await completer.answer(Array(arguments.dropFirst())))
  case ManualPage.command:
    return console.print(ManualPage.answer(Array(arguments.dropFirst())))
  #if DEBUG
    // For make generate. A release would have 100 kB more.
    case GeneratedArticle.command:
      return console.print(GeneratedArticle.answer(Array(arguments.dropFirst())))
  #endif
  case let name?:
    if let command = Command.named(name) {
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
  let index = words.firstIndex { Command.named($0) != nil }
  guard let index, let command = Command.named(words[index]) else { return "tripwire call METHOD" }
  var subcommands = command.subcommands.map(\.lastWord)
  if case .choice(let names) = command.operand { subcommands = names }
  let next = words[(index + 1)...].first.flatMap { subcommands.contains($0) ? $0 : nil }
  return ["tripwire", command.name, next ?? command.operand.placeholder].compactMap(\.self)
    .joined(separator: " ")
}

private func unknown(_ word: String, before rest: ArraySlice<String>) -> UsageError {
  if word.hasPrefix("-") { return misplacedOption(word, before: rest) }
  if word.hasPrefix("providers/") {
    return UsageError(
      message: "unknown command \(escaped(word))",
      hint: "did you mean: tripwire get \(escaped(word))"
    )
  }
  if (try? HostAndPort(word))?.port != nil {
    return UsageError(
      message: "unknown command \(escaped(word))",
      hint: UsageError.hint(forServer: word, in: "tripwire list "))
  }
  if word.contains("/"), (try? MethodName(word)) != nil {
    return UsageError(
      message: "unknown command \(escaped(word))",
      hint: "did you mean: tripwire call \(escaped(word))"
    )
  }
  let guess = nearest(to: word, among: Command.all.map(\.name))
  return UsageError(
    message: "unknown command \(shown(word))",
    hint: guess.map { "did you mean: tripwire \($0)" })
}

private let usage = "tripwire COMMAND [options]"

private let conciseHelp = """
  tripwire gets trips, vehicles and deliveries from Google Maps Fleet Engine, and
  calls any other gRPC service.

  usage: \(usage)

    tripwire get providers/my-project/trips/t1 --token-file token.jwt

  \(wrapped(commandList, width: 80).joined(separator: "\n"))

  """

private let commandList =
  "Commands: \(Command.all.map(\.name).joined(separator: ", ")). Run 'tripwire --help'."

let tripwireHelp =
  HelpText(
    usage: usage,
    about: "Gets trips, vehicles and deliveries from Google Maps Fleet Engine, and calls any other"
      + " gRPC service. Long options may also have one dash, as for grpcurl: -plaintext.",
    sections: [
      HelpText.Section(
        title: HelpText.examples,
        rows: [
          (
            "tripwire get providers/my-project/trips/t1 --token-file token.jwt",
            "print a trip as JSON"
          ),
          (
            "tripwire get providers/my-project/vehicles/v1 -o text",
            "print a vehicle as readable text"
          ),
          (
            "tripwire call pkg.Greeter/Hello --endpoint localhost:50051 --plaintext",
            "call any server that has reflection"
          ),
          ("tripwire get --help", "print the help for a command"),
        ]),
      HelpText.Section(title: HelpText.commands, rows: Command.all.map { ($0.name, $0.summary) }),
      HelpText.Section(
        title: "Options",
        rows: [
          ("-h, --help", "print this help, or the help for a command"),
          ("--version", "print the version"),
        ]),
    ], exitCodes: ExitCode.table)

extension Console {
  /// Writes data to stdout.
  func write(_ text: String) throws(ErrorReport) {
    try mapError(output(text)) { (error: OutputError) in ErrorReport(error) }
  }

  /// Writes data as the last step of a command, and returns the exit code.
  func print(_ text: String) -> ExitCode {
    do throws(OutputError) {
      try output(text)
      return .success
    } catch {
      if let message = error.message {
        self.error("error: \(message)\nhint: \(error.hint ?? "")\n")
      }
      return error.exitCode
    }
  }
}
