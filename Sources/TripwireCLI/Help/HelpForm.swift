import WireSystem

/// The two texts that describe a command.
enum HelpForm: Equatable, Sendable {
  /// `-h`: at most 40 lines.
  case brief
  /// `--help`: everything.
  case full
}

extension Console {
  /// Writes help as the last step of a command, and returns the exit code. On a terminal, a pager shows
  /// the full form.
  ///
  /// - Parameter name: the name of the command; nil for tripwire itself.
  func print(_ help: HelpText, _ form: HelpForm, of name: String?) -> ExitCode {
    switch form {
    case .brief:
      return print(help.brief(of: (["tripwire"] + [name].compactMap { $0 }).joined(separator: " ")))
    case .full:
      if outputIsTerminal() { Pager.run(help.full, environment) }
      return print(help.full)
    }
  }
}
