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
  package var rule = OptionRule()
  /// Throws the expected form if the argument is invalid.
  package var check: @Sendable (String) throws(InvalidValue) -> Void = { _ in }

  package var firstLine: Substring { help.prefix { $0 != "\n" } }

  /// `-o, --output FORMAT`
  var term: String {
    (short.map { "-\($0), " } ?? "") + "--" + long + (argument.map { " " + $0 } ?? "")
  }

  /// Whether the brief help contains the option.
  var isFrequent: Bool {
    switch group {
    case .connection, .recording:
      ["from", "endpoint", "plaintext", "cacert", "replay", "record"].contains(long)
    default:
      ![
        "attribute", "back-to-back", "capacity", "color", "current-trips", "dropoff",
        "error-format", "help", "json", "leaflet", "max-message-size", "maximum-staleness",
        "one-of-attribute-sets", "one-of-attributes", "order-by", "page-size", "profile", "quiet",
        "route-format", "timing", "token-for-all", "trip-type", "vehicle-type", "version",
        "viewport",
      ].contains(long)
    }
  }

  /// The option of every command.
  package static let help = OptionDescription(
    long: "help", short: "h", argument: nil, group: .common,
    help: "print this help; -h prints a short form")
}

extension OptionDescription {
  package init<Values>(_ option: Option<Values>) { self = option.description }
}
