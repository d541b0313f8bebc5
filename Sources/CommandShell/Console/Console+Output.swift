package import CommandLine
import WireProtobuf

extension Console {
  /// Writes data to stdout.
  package func write(_ text: String) throws(ErrorReport) {
    try mapError(output(text)) { (error: OutputError) in ErrorReport(error) }
  }

  /// Writes data as the last step of a command, and returns the exit code.
  package func print(_ text: String) -> ExitCode {
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

  /// Writes help as the last step of a command, and returns the exit code. On a terminal, a pager shows
  /// the full form.
  ///
  /// - Parameter name: the name of the command; nil for tripwire itself.
  package func print(_ help: HelpText, _ form: HelpForm, of name: String?) -> ExitCode {
    switch form {
    case .brief:
      return print(help.brief(of: (["tripwire"] + [name].compactMap { $0 }).joined(separator: " ")))
    case .full:
      if outputIsTerminal() { Pager.run(help.full, environment) }
      return print(help.full)
    }
  }
}
