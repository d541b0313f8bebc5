package import CommandLine

/// The answers of the hidden command of `make install`.
package enum ManualPages {
  /// `tripwire __manual` lists the pages, and `tripwire __manual PAGE DATE` prints one.
  package static let command = "__manual"

  /// Answers for a program and its commands.
  ///
  /// - Parameter help: that of the program itself.
  package static func answer(
    _ arguments: [String], of commands: [Command], _ help: HelpText
  ) -> String {
    let commands = commands.flatMap { [$0] + $0.subcommands }
    let names = ["tripwire"] + commands.map { ManualPage.name(of: $0.name) }
    return answer(arguments) { date in
      func page(_ name: String, _ summary: String, _ help: HelpText) -> ManualPage {
        ManualPage(
          name: name, summary: summary, help: help, date: date,
          related: name == "tripwire" ? names.dropFirst().sorted() : ["tripwire"])
      }
      return [page("tripwire", "call Fleet Engine and other gRPC services", help)]
        + commands.map { page(ManualPage.name(of: $0.name), $0.summary, $0.help()) }
    }
  }

  /// Answers for the subcommands of a helper program.
  package static func answer(_ arguments: [String], of command: Command) -> String {
    let names = command.subcommands.map { ManualPage.name(of: $0.name) }
    return answer(arguments) { date in
      command.subcommands.map { subcommand in
        let name = ManualPage.name(of: subcommand.name)
        return ManualPage(
          name: name, summary: subcommand.summary, help: subcommand.help(), date: date,
          related: (["tripwire", ManualPage.name(of: command.name)] + names.filter { $0 != name })
            .sorted())
      }
    }
  }

  private static func answer(
    _ arguments: [String], _ pages: (_ date: String) -> [ManualPage]
  ) -> String {
    guard arguments.count == 2 else { return pages("").map { $0.name + "\n" }.joined() }
    return pages(arguments[1]).first { $0.name == arguments[0] }?.text ?? ""
  }
}
