import Tripwire

let tokenCommand = Command(
  name: "token", summary: "mint or inspect a token", help: { help },
  subcommands: [mintTokenCommand, inspectTokenCommand],
  run: { (arguments, console) in
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "mint": return await mintTokenCommand.run(rest, console)
    case "inspect": return await inspectTokenCommand.run(rest, console)
    case "-h": return console.print(help, .brief, of: "token")
    case "--help": return console.print(help, .full, of: "token")
    case let word?:
      let guess = nearest(to: word, among: ["mint", "inspect"])
      let error = UsageError(
        message: "unknown command token \(escaped(word))",
        hint: guess.map { "did you mean: tripwire token \($0)" })
      return console.report(ErrorReport(error, command: "token"), as: .text)
    case nil:
      let error = UsageError(
        message: "a subcommand is missing: mint or inspect",
        hint: "run 'tripwire token mint --help' or 'tripwire token inspect FILE'")
      return console.report(ErrorReport(error, command: "token"), as: .text)
    }
  })

extension Command {
  /// A command that makes no calls.
  ///
  /// - Parameter run: carries out the command.
  static func local<Options: Sendable>(
    name: String, summary: String, _ initial: Options, _ all: [Option<Options>],
    operand: Operand = .other, help: @escaping @Sendable () -> HelpText,
    run: @escaping @Sendable (ParsedCommandLine, Options, Console) throws(LocalFailure) -> ExitCode
  ) -> Command {
    Command(name: name, summary: summary, operand: operand, help: help) { (arguments, console) in
      var options = initial
      let line = parse(arguments, all, into: &options, environment: console.environment)
      if let form = line.help { return console.print(help(), form, of: name) }
      do throws(LocalFailure) {
        if let error = line.error { throw .usage(error) }
        return try run(line, options, console)
      } catch {
        switch error {
        case .usage(let error): return console.report(ErrorReport(error, command: name), as: .text)
        case .report(let report): return console.report(report, as: .text)
        }
      }
    }
  }
}

/// A failure of a command that makes no calls.
enum LocalFailure: Error {
  case usage(UsageError)
  case report(ErrorReport)
}

private let help =
  HelpText(
    usage: "tripwire token mint|inspect [options]",
    about: "Mints and inspects tokens for Fleet Engine, without using the network.",
    sections: [
      HelpText.Section(
        title: HelpText.examples,
        rows: [
          ("tripwire token mint --credentials key.json --trip t1 > token.jwt", ""),
          ("tripwire token inspect token.jwt --trip t1", ""),
          ("tripwire token mint --help", "print the help for a subcommand"),
        ]),
      HelpText.Section(
        title: "Commands",
        rows: [
          (mintTokenCommand.name, mintTokenCommand.summary),
          (inspectTokenCommand.name, inspectTokenCommand.summary),
        ]),
    ], options: [.help])
