/// One option of a command, for the parser and for the help.
package struct Option<Values>: Sendable {
  /// Without the dashes: `endpoint`.
  package let long: String
  package let short: Character?
  /// The name of its argument in the help, `HOST[:PORT]`; nil for a flag.
  package let argument: String?
  /// The possible arguments; empty if there are many.
  let choices: [String]
  /// The variable that is read if the option is not given.
  var environment: EnvironmentVariable<Values>?
  package let group: OptionGroup
  /// The first line says what the option does; details follow.
  var help: String
  /// Stores the argument ("" for a flag). Throws the expected form if the argument is invalid.
  let store: @Sendable (inout Values, String) throws(InvalidValue) -> Void
  /// Throws the expected form if the argument is invalid.
  let check: @Sendable (String) throws(InvalidValue) -> Void
  package var rule = FallbackRule()
  /// How the command uses the file that the argument names; nil if it names none.
  var fileUse: CommandFile.Use?
  /// Stores the source of the value; nil if nothing depends on it.
  package private(set) var storeSource: (@Sendable (inout Values, ValueSource) -> Void)?

  private init(
    _ long: String, _ short: Character?, _ argument: String?, _ group: OptionGroup,
    _ help: String, choices: [String] = [],
    check: @escaping @Sendable (String) throws(InvalidValue) -> Void,
    store: @escaping @Sendable (inout Values, String) throws(InvalidValue) -> Void
  ) {
    self.long = long
    self.short = short
    self.argument = argument
    self.group = group
    self.help = help
    self.choices = choices
    self.check = check
    self.store = store
    fileUse = argument == "FILE" ? .input : nil
  }

  /// An option that takes an argument.
  package static func value<Value>(
    _ long: String, short: Character? = nil, _ argument: String, environment: String? = nil,
    _ group: OptionGroup, _ help: String,
    parse: @escaping @Sendable (String) throws(InvalidValue) -> Value,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> Option {
    let stored = { @Sendable (values: inout Values, text: String) throws(InvalidValue) in
      store(&values, try parse(text))
    }
    let check = { @Sendable (text: String) throws(InvalidValue) in _ = try parse(text) }
    var option = Option(long, short, argument, group, help, check: check, store: stored)
    option.environment = environment.map {
      EnvironmentVariable(name: $0, help: "used if --\(long) is not given", store: stored)
    }
    return option
  }

  /// An option whose argument is one of some words.
  package static func value<Value>(
    _ long: String, short: Character? = nil, _ argument: String, _ group: OptionGroup,
    _ help: String, choice: Choice<Value>,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> Option {
    Option(
      long, short, argument, group, help, choices: choice.names,
      check: { (text) throws(InvalidValue) in _ = try choice.value(text) },
      store: { (values, text) throws(InvalidValue) in store(&values, try choice.value(text)) })
  }

  /// An option without an argument. Its variable is true or false.
  ///
  /// - Parameter meaning: the help of the variable; nil for the standard one.
  package static func flag(
    _ long: String, short: Character? = nil, environment: String? = nil, meaning: String? = nil,
    _ group: OptionGroup, _ help: String, store: @escaping @Sendable (inout Values) -> Void
  ) -> Option {
    var option = Option(
      long, short, nil, group, help,
      check: { (text) throws(InvalidValue) in _ = try Parse.bool(text) },
      store: { (values, _) throws(InvalidValue) in store(&values) })
    option.environment = environment.map { name in
      EnvironmentVariable(
        name: name, help: meaning ?? "true or false, used if --\(long) is not given",
        store: option.storeFallback)
    }
    return option
  }

  /// An option with the description and the checks of another one.
  package static func copy(
    _ other: OptionDescription, store: @escaping @Sendable (inout Values, String) -> Void
  ) -> Option {
    let stored = { @Sendable (values: inout Values, text: String) throws(InvalidValue) in
      // A flag on the command line has no text.
      if other.argument != nil || !text.isEmpty { try other.check(text) }
      store(&values, text)
    }
    var option = Option(
      other.long, other.short, other.argument, other.group, other.help, choices: other.choices,
      check: other.check, store: stored)
    option.environment = other.environment.map {
      EnvironmentVariable(name: $0.term, help: $0.meaning) { (values, text) throws(InvalidValue) in
        try other.check(text)
        store(&values, text)
      }
    }
    option.rule = other.rule
    return option
  }

  /// Stores a value from a variable or a profile: true or false for a flag.
  @Sendable package func storeFallback(_ values: inout Values, _ text: String) throws(InvalidValue)
  {
    if argument != nil {
      try store(&values, text)
    } else if try Parse.bool(text) {
      try store(&values, "")
    }
  }

  /// Returns the option for profiles, too.
  ///
  /// - Parameters:
  ///   - hiddenBy: see ``FallbackRule/hiddenBy``.
  ///   - companion: see ``FallbackRule/companion``.
  package func inProfiles(hiddenBy: [String] = [], with companion: String? = nil) -> Option {
    var option = self
    option.rule.profiles = .supported
    option.rule.hiddenBy = hiddenBy
    option.rule.companion = companion
    return option
  }

  /// Returns the option, which profiles refuse because its value may contain a credential.
  package func secret(hint: String) -> Option {
    var option = self
    option.rule.profiles = .refused(hint: hint)
    return option
  }

  /// Returns the option, which also stores the source of its value.
  package func storingSource(_ store: @escaping @Sendable (inout Values, ValueSource) -> Void)
    -> Option
  {
    var option = self
    option.storeSource = store
    return option
  }

  /// Returns the option with a variable that has its own parser.
  ///
  /// - Parameter isLastResort: see ``FallbackRule/isLastResort``.
  package func orElse(_ variable: EnvironmentVariable<Values>, isLastResort: Bool = false) -> Option
  {
    var option = self
    option.environment = variable
    option.rule.isLastResort = isLastResort
    return option
  }

  /// Returns the option with another help text.
  package func described(_ help: String) -> Option {
    var option = self
    option.help = help
    return option
  }

  /// Returns the option for values that contain these values.
  package func inside<Outer>(_ path: any WritableKeyPath<Outer, Values> & Sendable) -> Option<Outer>
  {
    var option = Option<Outer>(
      long, short, argument, group, help, choices: choices, check: check,
      store: { (values, text) throws(InvalidValue) in try store(&values[keyPath: path], text) })
    option.environment = environment.map { variable in
      EnvironmentVariable<Outer>(
        name: variable.name, help: variable.help,
        store: { (values, text) throws(InvalidValue) in
          try variable.store(&values[keyPath: path], text)
        })
    }
    option.rule = rule
    option.fileUse = fileUse
    if let storeSource {
      option.storeSource = { (values, source) in storeSource(&values[keyPath: path], source) }
    }
    return option
  }
}

/// An environment variable that replaces an option.
package struct EnvironmentVariable<Values>: Sendable {
  package let name: String
  package let help: String
  package let store: @Sendable (inout Values, String) throws(InvalidValue) -> Void

  package init(
    name: String,
    help: String,
    store: @escaping @Sendable (inout Values, String) throws(InvalidValue) -> Void
  ) {
    self.name = name
    self.help = help
    self.store = store
  }
}

/// The groups of options in the help, in this order.
package enum OptionGroup: String, CaseIterable, Sendable {
  case common = "Options"
  case selection = "Selection"
  case request = "Request"
  case map = "Map"
  case connection = "Connection"
  case recording = "Recording"
}

/// An invalid argument of an option.
package struct InvalidValue: Error, Equatable {
  /// The reason, written after the option: "expected a duration such as 15s, 500ms or 2m".
  package let reason: String
  /// One action for the user; nil points to the command's help.
  package let hint: String?
  /// The argument in the expected form, if it is known.
  let correction: String?
  /// False if the argument may be a credential, which no error shows.
  var mayBeShown = true
  /// The part of such an argument that errors show, safe for a terminal.
  package var shownPart: String?

  package init(
    _ reason: String, mayBeShown: Bool = true, hint: String? = nil, correction: String? = nil
  ) {
    self.reason = reason
    self.hint = hint
    self.correction = correction
    self.mayBeShown = mayBeShown
  }
}
