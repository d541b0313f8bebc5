/// One option of a command: what the parser accepts and what `--help` says of it.
struct Option<Values>: Sendable {
  /// Without the dashes: `endpoint`.
  let long: String
  let short: Character?
  /// What the help calls its argument: `HOST[:PORT]`; nil for a switch.
  let argument: String?
  /// The environment variable that stands in when the option is not given.
  let environment: String?
  let group: OptionGroup
  let help: String
  /// Stores the argument ("" for a switch), or says what would have been right.
  let store: @Sendable (inout Values, String) throws(BadValue) -> Void

  /// An option that takes an argument.
  static func value<Value>(
    _ long: String, short: Character? = nil, _ argument: String, environment: String? = nil,
    _ group: OptionGroup, _ help: String,
    parse: @escaping @Sendable (String) throws(BadValue) -> Value,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> Option {
    Option(
      long: long, short: short, argument: argument, environment: environment, group: group,
      help: help
    ) { (values, text) throws(BadValue) in
      store(&values, try parse(text))
    }
  }

  /// An option without an argument.
  static func flag(
    _ long: String, short: Character? = nil, _ group: OptionGroup, _ help: String,
    store: @escaping @Sendable (inout Values) -> Void
  ) -> Option {
    Option(
      long: long, short: short, argument: nil, environment: nil, group: group, help: help
    ) { (values, _) throws(BadValue) in
      store(&values)
    }
  }
}

/// The headings of the help under which options are listed, in this order.
enum OptionGroup: String, CaseIterable, Sendable {
  case common = "Options"
  case request = "Request"
  case connection = "Connection"
  case output = "Output"
}

/// An argument that an option cannot take.
struct BadValue: Error, Equatable {
  /// What it wants, to be read after the option: "wants a duration such as 15s, 500ms or 2m".
  let reason: String
  /// False when the argument may hold a secret and must not be repeated.
  var mayBeShown = true

  init(_ reason: String, mayBeShown: Bool = true) {
    self.reason = reason
    self.mayBeShown = mayBeShown
  }
}
