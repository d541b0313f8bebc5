package import CommandLine

extension Command {
  /// A command whose first argument is the name of a subcommand.
  ///
  /// - Parameter missing: the hint if there is no argument.
  package static func group(
    name: String, summary: String, subcommands: [Command], missing: String,
    help: @escaping @Sendable () -> HelpText
  ) -> Command {
    Command(name: name, summary: summary, help: help, subcommands: subcommands) {
      (arguments, console) in
      let words = subcommands.map(\.lastWord)
      switch arguments.first {
      case "-h": return console.print(help(), .brief, of: name)
      case "--help", "-help": return console.print(help(), .full, of: name)
      case let word?:
        if let command = subcommands.first(where: { $0.lastWord == word }) {
          return await command.run(Array(arguments.dropFirst()), console)
        }
        let guess = nearest(to: word, among: words)
        let error = UsageError(
          message: "unknown command \(name) \(shown(word))",
          hint: guess.map { "did you mean: tripwire \(name) \($0)" })
        return console.report(ErrorReport(error), as: .text, of: name)
      case nil:
        let list = words.joined(conjunction: "or")
        let error = UsageError(message: "a subcommand is missing: \(list)", hint: missing)
        return console.report(ErrorReport(error), as: .text, of: name)
      }
    }
  }

  /// `mint` of `token mint`.
  package var lastWord: String { name.split(separator: " ").last.map(String.init) ?? name }
}
