/// One option of a command: what the parser accepts and what `--help` says of it.
struct Option<Values>: Sendable {
  /// Without the dashes: `endpoint`.
  let long: String
  let short: Character?
  /// What the help calls its argument: `HOST[:PORT]`; nil for a switch.
  let argument: String?
  /// What stands in when the option is not given.
  let environment: EnvironmentVariable<Values>?
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
    let stored = { @Sendable (values: inout Values, text: String) throws(BadValue) in
      store(&values, try parse(text))
    }
    let variable = environment.map {
      EnvironmentVariable(name: $0, help: "used if --\(long) is not given", store: stored)
    }
    return Option(
      long: long, short: short, argument: argument, environment: variable, group: group,
      help: help, store: stored)
  }

  /// The same option, with a variable that is read in a way of its own.
  func orElse(_ variable: EnvironmentVariable<Values>) -> Option {
    Option(
      long: long, short: short, argument: argument, environment: variable, group: group,
      help: help, store: store)
  }

  /// The same option, of which the help says something else.
  func described(_ help: String) -> Option {
    Option(
      long: long, short: short, argument: argument, environment: environment, group: group,
      help: help, store: store)
  }

  /// The same option of values that have these inside.
  func inside<Outer>(_ path: any WritableKeyPath<Outer, Values> & Sendable) -> Option<Outer> {
    Option<Outer>(
      long: long, short: short, argument: argument,
      environment: environment.map { variable in
        EnvironmentVariable<Outer>(name: variable.name, help: variable.help) {
          (values, text) throws(BadValue) in
          try variable.store(&values[keyPath: path], text)
        }
      }, group: group, help: help
    ) { (values, text) throws(BadValue) in
      try store(&values[keyPath: path], text)
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

/// An environment variable that stands in for an option.
struct EnvironmentVariable<Values>: Sendable {
  let name: String
  let help: String
  let store: @Sendable (inout Values, String) throws(BadValue) -> Void
}

/// The headings of the help under which options are listed, in this order.
enum OptionGroup: String, CaseIterable, Sendable {
  case common = "Options"
  case selection = "Selection"
  case request = "Request"
  case connection = "Connection"
  case recording = "Recording"
}

/// An argument that an option cannot take.
struct BadValue: Error, Equatable {
  /// What is wrong, to be read after the option: "expected a duration such as 15s, 500ms or 2m".
  let reason: String
  /// What to do about it; nil stands for a pointer to the command's help.
  let hint: String?
  /// False when the argument may hold a secret and must not be repeated.
  var mayBeShown = true

  init(_ reason: String, mayBeShown: Bool = true, hint: String? = nil) {
    self.reason = reason
    self.hint = hint
    self.mayBeShown = mayBeShown
  }
}
