import Tripwire
import WireGRPC
import WireTransport

/// One subcommand.
struct Command: Sendable {
  let name: String
  /// A short description for the list of commands.
  let summary: String
  /// Runs the command with the arguments after its name.
  let run: @Sendable ([String], Console) async -> ExitCode

  static let all = [
    getCommand, followCommand, callCommand, listCommand, describeCommand, replayCommand,
    logCommand, tokenCommand,
  ]
}

/// Runs a command line, which is given without the program's name.
func tripwire(_ arguments: [String], _ console: Console) async -> ExitCode {
  switch arguments.first {
  case nil:
    console.error(conciseHelp)
    return .usage
  case "--version":
    return console.print(versionLine)
  case "-h", "--help":
    return console.print(help)
  case "help":
    return await tripwire(arguments.dropFirst().prefix(1) + ["--help"], console)
  case let name?:
    if let command = Command.all.first(where: { $0.name == name }) {
      return await command.run(Array(arguments.dropFirst()), console)
    }
    if let report = HelperProgram.run(
      name, Array(arguments.dropFirst()), path: console.environment("PATH"))
    {
      return console.report(report, as: .text)
    }
    if let helper = HelperProgram.known.first(where: { $0.name == name }) {
      let report = ErrorReport(
        local: "'tripwire \(name)' needs the program tripwire-\(name), which is not installed",
        hint:
          "install the package \(helper.package) completely: tripwire-\(name) belongs beside tripwire"
          + " or on the PATH")
      return console.report(report, as: .text)
    }
    return console.report(ErrorReport(unknown(name), command: nil), as: .text)
  }
}

let versionLine = "tripwire \(libraryVersion)\n"

private func unknown(_ word: String) -> UsageError {
  if word.hasPrefix("-") {
    return UsageError(
      message: "unknown option \(escaped(word))",
      hint: "put options after the command: tripwire get NAME -v")
  }
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
  let guess = nearest(to: word, among: commands.map(\.name))
  return UsageError(
    message: "unknown command \(escaped(word))",
    hint: guess.map { "did you mean: tripwire \($0)" })
}

/// All commands with their summaries, for the help.
private let commands: [(name: String, summary: String)] =
  Command.all.map { ($0.name, $0.summary) }
  + HelperProgram.known.map { ($0.name, $0.summary) }

private let usage = "tripwire COMMAND [options]"

private let conciseHelp = """
  tripwire gets trips and vehicles from Google Maps Fleet Engine, and calls any
  other gRPC service.

  usage: \(usage)

    tripwire get providers/my-project/trips/t1 --token-file token.jwt

  Commands: \(commands.map(\.name).joined(separator: ", ")). Run 'tripwire --help'.

  """

private let help =
  HelpText(
    usage: usage,
    about: "Gets trips and vehicles from Google Maps Fleet Engine, and calls any other gRPC"
      + " service.",
    sections: [
      HelpText.Section(
        title: "Examples",
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
          ("tripwire get --help", "print the help of a command"),
        ]),
      HelpText.Section(title: "Commands", rows: commands.map { ($0.name, $0.summary) }),
      HelpText.Section(
        title: "Options",
        rows: [
          ("-h, --help", "print this help, or the help of a command"),
          ("--version", "print the version"),
        ]),
      HelpText.Section(title: "Exit codes", rows: ExitCode.table),
    ]
  ).description

extension Console {
  /// Writes data as the last step of a command, and returns the exit code.
  func print(_ text: String) -> ExitCode {
    do throws(OutputError) {
      try output(text)
      return .success
    } catch {
      if let message = error.message { self.error("error: \(message)\n") }
      return error.exitCode
    }
  }
}
