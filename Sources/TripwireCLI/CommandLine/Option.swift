/// One option of a command, for the parser and for the help.
struct Option<Values>: Sendable {
  /// Without the dashes: `endpoint`.
  let long: String
  let short: Character?
  /// The name of its argument in the help, `HOST[:PORT]`; nil for a flag.
  let argument: String?
  /// The possible arguments; empty if there are many.
  let choices: [String]
  /// The variable that is read if the option is not given.
  var environment: EnvironmentVariable<Values>?
  let group: OptionGroup
  /// The first line says what the option does; details follow.
  var help: String
  /// Stores the argument ("" for a flag). Throws the expected form if the argument is invalid.
  let store: @Sendable (inout Values, String) throws(BadValue) -> Void

  private init(
    _ long: String, _ short: Character?, _ argument: String?, _ group: OptionGroup,
    _ help: String, choices: [String] = [],
    store: @escaping @Sendable (inout Values, String) throws(BadValue) -> Void
  ) {
    self.long = long
    self.short = short
    self.argument = argument
    self.group = group
    self.help = help
    self.choices = choices
    self.store = store
  }

  /// An option that takes an argument.
  static func value<Value>(
    _ long: String, short: Character? = nil, _ argument: String, environment: String? = nil,
    _ group: OptionGroup, _ help: String,
    parse: @escaping @Sendable (String) throws(BadValue) -> Value,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> Option {
    let stored = { @Sendable (values: inout Values, text: String) throws(BadValue) in
      store(&values, try parse(text))
    }
    var option = Option(long, short, argument, group, help, store: stored)
    option.environment = environment.map {
      EnvironmentVariable(name: $0, help: "used if --\(long) is not given", store: stored)
    }
    return option
  }

  /// An option whose argument is one of some words.
  static func value<Value>(
    _ long: String, short: Character? = nil, _ argument: String, _ group: OptionGroup,
    _ help: String, choice: Choice<Value>,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> Option {
    Option(long, short, argument, group, help, choices: choice.names) {
      (values, text) throws(BadValue) in
      store(&values, try choice.value(text))
    }
  }

  /// An option without an argument.
  static func flag(
    _ long: String, short: Character? = nil, _ group: OptionGroup, _ help: String,
    store: @escaping @Sendable (inout Values) -> Void
  ) -> Option {
    Option(long, short, nil, group, help) { (values, _) throws(BadValue) in store(&values) }
  }

  /// Returns the option with a variable that has its own parser.
  func orElse(_ variable: EnvironmentVariable<Values>) -> Option {
    var option = self
    option.environment = variable
    return option
  }

  /// Returns the option with another help text.
  func described(_ help: String) -> Option {
    var option = self
    option.help = help
    return option
  }

  /// Returns the option for values that contain these values.
  func inside<Outer>(_ path: any WritableKeyPath<Outer, Values> & Sendable) -> Option<Outer> {
    var option = Option<Outer>(long, short, argument, group, help, choices: choices) {
      (values, text) throws(BadValue) in
      try store(&values[keyPath: path], text)
    }
    option.environment = environment.map { variable in
      EnvironmentVariable<Outer>(name: variable.name, help: variable.help) {
        (values, text) throws(BadValue) in
        try variable.store(&values[keyPath: path], text)
      }
    }
    return option
  }
}

/// An environment variable that replaces an option.
struct EnvironmentVariable<Values>: Sendable {
  let name: String
  let help: String
  let store: @Sendable (inout Values, String) throws(BadValue) -> Void
}

/// The groups of options in the help, in this order.
enum OptionGroup: String, CaseIterable, Sendable {
  case common = "Options"
  case selection = "Selection"
  case request = "Request"
  case map = "Map"
  case connection = "Connection"
  case recording = "Recording"
}

/// An invalid argument of an option.
struct BadValue: Error, Equatable {
  /// The reason, written after the option: "expected a duration such as 15s, 500ms or 2m".
  let reason: String
  /// One action for the user; nil points to the command's help.
  let hint: String?
  /// False if the argument may be a credential, which no error shows.
  var mayBeShown = true
  /// The part of such an argument that errors show, safe for a terminal.
  var shownPart: String?

  init(_ reason: String, mayBeShown: Bool = true, hint: String? = nil) {
    self.reason = reason
    self.hint = hint
    self.mayBeShown = mayBeShown
  }
}
