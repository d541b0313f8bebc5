/// An invalid command line: exit code 2, and nothing was done.
struct UsageError: Error, Equatable {
  /// Names the option or operand, and the expected form.
  let message: String
  /// The operand and, under the mistake, carets.
  var excerpt: [String] = []
  /// One action for the user; nil points to the command's help.
  var hint: String? = nil

  /// Returns the hint for a server that was given as an operand.
  ///
  /// - Parameter example: the start of an example, "tripwire list "; "" shows only the option.
  static func hint(forServer server: some StringProtocol, in example: String = "") -> String {
    "pass the server with --endpoint: \(example)--endpoint \(escaped(String(server)))"
  }
}
