/// An option as help, manual pages and completions present it.
package struct OptionDescription: Sendable {
  package let long: String
  package let short: Character?
  /// The name of its argument, `HOST[:PORT]`; nil for a flag.
  package let argument: String?
  /// The possible arguments; empty if there are many.
  package var choices: [String] = []
  /// The variable that is read if the option is not given, and its help.
  var environment: HelpText.Row?
  let group: OptionGroup
  /// The first line says what the option does; details follow.
  package var help: String
  /// Whether the brief help contains the option.
  var isInBriefHelp = true
  package var rule = OptionRule()
  /// Throws the expected form if the argument is invalid.
  package var check: @Sendable (String) throws(InvalidValue) -> Void = { _ in }

  package var firstLine: Substring { help.prefix { $0 != "\n" } }

  package var isRepeatable: Bool { firstLine.hasSuffix("(repeatable)") }

  /// `-o, --output FORMAT`
  var term: String {
    (short.map { "-\($0), " } ?? "") + "--" + long + (argument.map { " " + $0 } ?? "")
  }

  /// The option of every command.
  package static let help = OptionDescription(
    long: "help", short: "h", argument: nil, group: .common,
    help: "print this help; -h prints a short form", isInBriefHelp: false)
}

extension OptionDescription {
  package init<Values>(_ option: Option<Values>) { self = option.description }
}
