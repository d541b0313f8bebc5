package import CommandLine

/// One subcommand.
package struct Command: Sendable {
  package let name: String
  /// A short description for the list of commands.
  package let summary: String
  package let operand: Operand
  package let help: @Sendable () -> HelpText
  package let subcommands: [Command]
  /// Runs the command with the arguments after its name.
  package let run: @Sendable ([String], Console) async -> ExitCode

  package init(
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

  /// Returns the command that a user types as `word`: its name, or "ls" for "list".
  package static func named(_ word: String, among commands: [Command]) -> Command? {
    let name = word == "ls" ? "list" : word
    return commands.first { $0.name == name }
  }
}

/// The kind of a command's operands, for completion.
package enum Operand: Sendable {
  case resource
  case file
  case choice([String])
  case profile
  /// The key of a setting in a profile, and perhaps its value.
  case setting
  case other
  /// The command completes them itself. The placeholder stands for the operand in an example of a command line;
  /// nil if the command may have none.
  case custom(placeholder: String?, @Sendable (Completer.Line) async -> [Completer.Candidate])

  /// The operand in an example of a command line; nil if a command may have none.
  package var placeholder: String? {
    switch self {
    case .resource: "NAME"
    case .file: "FILE"
    case .choice, .profile, .setting, .other: nil
    case .custom(let placeholder, _): placeholder
    }
  }
}
