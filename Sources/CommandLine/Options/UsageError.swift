/// An invalid command line: exit code 2, and nothing was done.
package struct UsageError: Error, Equatable {
  /// Names the option or operand, and the expected form.
  package let message: String
  /// The operand and, under the mistake, carets.
  package var excerpt: [String] = []
  /// The options at fault, without their dashes, whose sources a report names.
  package var options: [String] = []
  /// Whether removing any one of `options` corrects the command line.
  package var isConflict = false
  /// One action for the user; nil points to the command's help.
  package var hint: String? = nil

  package init(
    message: String, excerpt: [String] = [], options: [String] = [], isConflict: Bool = false,
    hint: String? = nil
  ) {
    self.message = message
    self.excerpt = excerpt
    self.options = options
    self.isConflict = isConflict
    self.hint = hint
  }

  /// Returns the error for two options, "--plaintext" and "--cacert", of which only one may be given.
  ///
  /// - Parameter hint: nil suggests removing one of the two.
  package static func conflict(_ first: String, _ second: String, hint: String? = nil) -> UsageError
  {
    conflict(
      first, second, of: [first, second].compactMap(LongOptions.longName),
      hint: hint ?? "remove \(first), or remove \(second)", isConflict: hint == nil)
  }

  /// - Parameter options: the long names of the two.
  static func conflict(
    _ first: String, _ second: String, of options: [String], hint: String, isConflict: Bool
  ) -> UsageError {
    UsageError(
      message: "\(first) cannot be used with \(second)", options: options,
      isConflict: isConflict, hint: hint)
  }

  /// Returns the error for an option without another one that it requires.
  ///
  /// - Parameter removed: the option to remove, if it is not `option` itself.
  package static func requirement(
    of option: String, _ required: String, orRemove removed: String? = nil
  ) -> UsageError {
    UsageError(
      message: "\(option) requires \(required)",
      options: [LongOptions.longName(option)].compactMap { $0 },
      hint: "add \(required), or remove \(removed ?? option)")
  }

  /// Returns the error for operands of which one is empty, or which name standard input more than once; nil
  /// if they are valid.
  package static func invalidFiles(_ files: [String]) -> UsageError? {
    guard !files.contains("") else {
      return UsageError(
        message: "FILE '': expected a file, found an empty name",
        hint: "pass the path of a file")
    }
    return invalidInput(of: files)
  }

  /// Returns the error for operands that name standard input more than once; nil if they are valid.
  package static func invalidInput(of operands: [String]) -> UsageError? {
    guard operands.count(where: { $0 == "-" }) > 1 else { return nil }
    return UsageError(
      message: "unexpected argument -: stdin can be read only once", hint: "pass - once")
  }

  /// Returns the hint for a server that was given as an operand.
  ///
  /// - Parameter example: the start of an example, "tripwire list "; "" shows only the option.
  package static func hint(forServer server: some StringProtocol, in example: String = "") -> String
  {
    "pass the server with --endpoint: \(example)--endpoint \(escaped(String(server)))"
  }
}

extension UsageError {
  /// Creates the error for an invalid argument. An argument that may be a credential is not shown.
  ///
  /// - Parameter origin: the text before the argument: "--timeout ", "TRIPWIRE_ENDPOINT=", or "endpoint " of a
  ///   profile.
  package init(_ error: InvalidValue, in argument: String, of origin: String) {
    let argument = error.mayBeShown ? shown(argument) : error.shownPart ?? "…"
    let verb = origin.hasPrefix("-") ? "pass" : "set"
    self.init(
      message: "\(origin)\(argument): \(error.reason)",
      hint: error.hint ?? error.correction.map { "\(verb) \(origin)\(shellWord($0))" })
  }
}
