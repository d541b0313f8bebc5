/// One option of a command, for the parser and for the help.
package struct Option<Values>: Sendable {
  package typealias Store = @Sendable (inout Values, String) throws(InvalidValue) -> Void

  package var description: OptionDescription
  /// Stores the argument ("" for a flag). Throws the expected form if the argument is invalid.
  let store: Store
  /// Stores the value of the variable that is read if the option is not given.
  private(set) var storeVariable: Store?
  /// How the command uses the file that the argument names; nil if it names none.
  var fileUse: CommandFile.Use?

  package var long: String { description.long }
  package var short: Character? { description.short }
  package var argument: String? { description.argument }
  package var group: OptionGroup { description.group }
  package var rule: OptionRule { description.rule }
  /// The variable that is read if the option is not given.
  var variable: String? { description.environment?.term }

  private init(_ description: OptionDescription, store: @escaping Store) {
    self.description = description
    self.store = store
    fileUse = description.argument == "FILE" ? .input : nil
  }

  /// An option that takes an argument.
  package static func value<Value>(
    _ long: String, short: Character? = nil, _ argument: String, environment: String? = nil,
    _ group: OptionGroup, _ help: String,
    parse: @escaping @Sendable (String) throws(InvalidValue) -> Value,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> Option {
    let description = OptionDescription(
      long: long, short: short, argument: argument, group: group, help: help,
      check: { (text) throws(InvalidValue) in _ = try parse(text) })
    let option = Option(description) { (values, text) throws(InvalidValue) in
      store(&values, try parse(text))
    }
    guard let environment else { return option }
    return option.orElse(environment, "used if --\(long) is not given", store: option.store)
  }

  /// An option whose argument is one of some words.
  package static func value<Value>(
    _ long: String, short: Character? = nil, _ argument: String, _ group: OptionGroup,
    _ help: String, choice: Choice<Value>,
    store: @escaping @Sendable (inout Values, Value) -> Void
  ) -> Option {
    var option = value(
      long, short: short, argument, group, help,
      parse: { (text) throws(InvalidValue) in try choice.value(text) }, store: store)
    option.description.choices = choice.names
    return option
  }

  /// An option without an argument. Its variable is true or false.
  ///
  /// - Parameter meaning: the help of the variable; nil for the standard one.
  package static func flag(
    _ long: String, short: Character? = nil, environment: String? = nil, meaning: String? = nil,
    _ group: OptionGroup, _ help: String, store: @escaping @Sendable (inout Values) -> Void
  ) -> Option {
    let description = OptionDescription(
      long: long, short: short, argument: nil, group: group, help: help,
      check: { (text) throws(InvalidValue) in _ = try Parse.bool(text) })
    let option = Option(description) { (values, _) throws(InvalidValue) in store(&values) }
    guard let environment else { return option }
    return option.orElse(
      environment, meaning ?? "true or false, used if --\(long) is not given",
      store: option.storeFallback)
  }

  /// An option with the description and the checks of another one.
  package static func copy(
    _ other: OptionDescription, store: @escaping @Sendable (inout Values, String) -> Void
  ) -> Option {
    var option = Option(other) { (values, text) throws(InvalidValue) in
      // A flag on the command line has no text.
      if other.argument != nil || !text.isEmpty { try other.check(text) }
      store(&values, text)
    }
    // The required option may be in a profile that is read later.
    option.description.rule.companions += other.rule.requirements
    option.description.rule.requirements = []
    option.storeVariable = { (values, text) throws(InvalidValue) in
      try other.check(text)
      store(&values, text)
    }
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

  /// Whether a value from a variable or a profile turns a flag off.
  func isOff(_ value: String) -> Bool { argument == nil && value != "true" }

  /// Returns the option for profiles, too.
  package func inProfiles(with companion: String? = nil) -> Option {
    var option = self
    option.description.rule.profiles = .supported
    option.description.rule.companions = companion.map { [[$0]] } ?? []
    return option
  }

  /// Returns the option, which profiles refuse because its value may contain a credential.
  package func secret(hint: String) -> Option {
    var option = self
    option.description.rule.profiles = .refused(hint: hint)
    return option
  }

  /// Returns the option with a variable that is read if the option is not given.
  ///
  /// - Parameter help: of the variable.
  package func orElse(
    _ variable: String, _ help: String, isLastResort: Bool = false, store: @escaping Store
  ) -> Option {
    var option = self
    option.description.environment = (variable, help)
    option.storeVariable = store
    option.description.rule.isLastResort = isLastResort
    return option
  }

  /// Returns the option without a line in the brief help.
  package func inFullHelpOnly() -> Option {
    var option = self
    option.description.isInBriefHelp = false
    return option
  }

  package func described(_ help: String) -> Option {
    var option = self
    option.description.help = help
    return option
  }

  /// Returns the option for values that contain these values.
  package func inside<Outer>(_ path: any WritableKeyPath<Outer, Values> & Sendable) -> Option<Outer>
  {
    var option = Option<Outer>(description) { (values, text) throws(InvalidValue) in
      try store(&values[keyPath: path], text)
    }
    if let storeVariable {
      option.storeVariable = { (values, text) throws(InvalidValue) in
        try storeVariable(&values[keyPath: path], text)
      }
    }
    option.fileUse = fileUse
    return option
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
