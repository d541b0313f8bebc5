import Tripwire

let tokenCommand = Command.group(
  name: "token", summary: "mint or inspect a token",
  subcommands: [mintTokenCommand, inspectTokenCommand],
  missing: "run 'tripwire token mint --help' or 'tripwire token inspect FILE'", help: { help })

extension Command {
  /// A command that makes no calls.
  ///
  /// - Parameters:
  ///   - all: the options. Only their own command creates them: that of 'config list' needs all tables.
  ///   - profile: returns the name of the selected profile; nil if the command uses no profile.
  ///   - run: carries out the command.
  static func local<Options: Sendable>(
    name: String, summary: String, _ initial: Options,
    _ all: @autoclosure @escaping @Sendable () -> [Option<Options>],
    profile: (@Sendable (Options) -> String?)? = nil, operand: Operand = .other,
    help: @escaping @Sendable () -> HelpText,
    run: @escaping @Sendable (ParsedCommandLine, Options, Console) throws(LocalFailure) -> ExitCode
  ) -> Command {
    Command(name: name, summary: summary, operand: operand, help: help) { (arguments, console) in
      var options = initial
      let all = all()
      var line = parse(arguments, all, into: &options, environment: console.environment)
      if let form = line.help { return console.print(help(), form, of: name) }
      do throws(LocalFailure) {
        if let error = line.error { throw .usage(error) }
        if let profile {
          do throws(ErrorReport) {
            try line.apply(
              profile: profile(options), all, into: &options,
              environment: console.environment)
          } catch {
            throw .report(error)
          }
        }
        let files = if case .file = operand { line.operands } else { [String]() }
        if let error = line.outputConflict(reading: files) { throw .usage(error) }
        return try run(line, options, console)
      } catch {
        switch error {
        case .usage(let error):
          return console.report(line.withSources(ErrorReport(error, command: name)), as: .text)
        case .report(let report): return console.report(line.withSources(report), as: .text)
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
