/// A command line that cannot be understood: exit code 2, nothing was done.
struct UsageError: Error, Equatable {
  /// Names the option or operand and what it wants.
  let message: String
  /// Lines that show where: the operand and, under it, a caret.
  var excerpt: [String] = []
  /// What to do about it; nil stands for a pointer to the command's help.
  var hint: String? = nil

  /// How to name a server that was given as an operand.
  ///
  /// - Parameter example: the command to show it in, "tripwire list "; "" for the one that was given.
  static func hint(forServer server: some StringProtocol, in example: String = "") -> String {
    "name the server with --endpoint: \(example)--endpoint \(escaped(String(server)))"
  }
}
