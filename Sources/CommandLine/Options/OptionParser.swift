package struct ParsedCommandLine {
  package var operands: [String]
  /// Set by `-h` or `--help`.
  package let help: HelpForm?
  /// The first error. `help` has priority.
  package var error: UsageError?
  /// The sources of the values, by the long names of the options.
  package var sources: [String: ValueSource] = [:]
  /// The options that are given several times and take one value, as typed.
  package fileprivate(set) var repeated: [String] = []
  /// The flags that a variable or a profile turns off.
  fileprivate(set) var disabled: Set<String> = []
  package var files: [CommandFile] = []
  /// A note for `-v` about the profile.
  package var note: String?
}

/// Stores the values of `arguments`, and of the environment for options that are not given. Continues
/// after an error, so that `-h` and `--error-format` always work.
package func parse<Values>(
  _ arguments: [String], _ options: [Option<Values>], into values: inout Values,
  environment: (String) -> String?
) -> ParsedCommandLine {
  let names = options.map(\.description) + [.help]
  let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
  let longNames = names.map(\.long)
  let arguments =
    arguments[..<end].map { LongOptions.withTwoDashes($0, among: longNames) } + arguments[end...]
  let foreign = arguments[..<end].filter { ForeignOption.isOneDashed($0, among: options) }
  let (tokens, operands) = LongOptions.scan(
    arguments[..<end].filter { !foreign.contains($0) } + arguments[end...], for: names)

  var wanted: HelpForm?
  var sources: [String: ValueSource] = [:]
  var files: [CommandFile] = []
  var repeated: [String] = []
  var errors = foreign.map { word in unknown(word, among: options) }
  for token in tokens {
    switch token {
    case .option(let index, let typed, _) where index == options.count:
      wanted = wanted == .full || typed == "--help" ? .full : .brief
    case .option(let index, let typed, let argument):
      let isFirst = sources.updateValue(.option, forKey: options[index].long) == nil
      if !isFirst, argument != nil, !options[index].description.isRepeatable {
        repeated.append(typed)
      }
      // An unset shell variable leaves an option without its value; the next option is not the value.
      if let argument, argument.hasPrefix("--"),
        options.contains(where: { "--" + $0.long == argument })
      {
        let wanted = options[index].argument ?? "a value"
        errors.append(
          UsageError(message: "\(typed): expected \(wanted), found the option \(argument)"))
        continue
      }
      files += argument.flatMap(options[index].file).map { [$0] } ?? []
      store(options[index].store, argument ?? "", typed + " ", into: &values, &errors)
    case .unknown(let typed):
      let word = ForeignOption.longWord(of: typed, in: arguments[..<end], among: options)
      errors.append(unknown(word ?? typed, among: options))
    case .missingArgument(let index, let typed):
      errors.append(
        UsageError(message: "\(typed): the argument \(options[index].argument ?? "") is missing"))
    case .unexpectedArgument(let index):
      // The value may be a credential.
      let option = "--\(names[index].long)"
      errors.append(
        UsageError(
          message: "\(option): the option takes no value",
          hint: "write \(option) without a value, or leave it out"))
    }
  }
  var variables: [String: String] = [:]
  for option in options {
    guard let variable = option.variable, let value = environment(variable), !value.isEmpty
    else { continue }
    if option.rule.isLastResort {
      store(option.storeVariable, value, variable + "=", into: &values, &errors)
    } else {
      variables[option.long] = value
    }
  }
  var line = ParsedCommandLine(
    operands: operands, help: wanted, sources: sources, files: files)
  line.repeated = repeated
  for (option, value) in line.fallbacks(for: options, { variables[$0.long] }) {
    guard let variable = option.variable else { continue }
    store(option.storeVariable, value, variable + "=", into: &values, &errors)
    line.add(option, value, from: .variable(variable))
  }
  line.error = errors.first
  return line
}

extension ParsedCommandLine {
  /// Whether an option is given. A flag that a variable or a profile turns off is not.
  func isGiven(_ name: String) -> Bool { sources[name] != nil && !disabled.contains(name) }

  /// Returns the options to take from the next source in the order of precedence, with their values.
  ///
  /// - Parameter found: returns the value of the source.
  package func fallbacks<Values>(
    for options: [Option<Values>], _ found: (Option<Values>) -> String?
  ) -> [(option: Option<Values>, value: String)] {
    let excluded = options.flatMap { option in
      let others = option.rule.exclusions.map(\.other)
      return isGiven(option.long) ? others : others.contains(where: isGiven) ? [option.long] : []
    }
    let candidates = options.compactMap { option in
      sources[option.long] == nil && !excluded.contains(option.long)
        ? found(option).map { (option: option, value: $0) } : nil
    }
    let names = Set(candidates.map(\.option.long))
    return candidates.filter { option, value in
      // "false" needs no companion. It only overrides values of lower precedence. Any text except true and
      // false is rejected later.
      option.isOff(value)
        || (option.rule.requirements + option.rule.companions).allSatisfy {
          $0.contains(where: names.contains)
        }
    }
  }

  /// Notes the source of an option with a value from a variable or a profile.
  package mutating func add<Values>(
    _ option: Option<Values>, _ value: String, from source: ValueSource
  ) {
    sources[option.long] = source
    files += option.file(value).map { [$0] } ?? []
    if option.isOff(value) { disabled.insert(option.long) }
  }
}

private func unknown<Values>(_ word: String, among options: [Option<Values>]) -> UsageError {
  let typed = LongOptions.name(in: word)
  // A key in PEM begins with dashes, too.
  guard !typed.contains(where: \.isWhitespace) else {
    return UsageError(
      message: "a word with spaces begins with a dash", hint: "write -- before operands")
  }
  var hint = ForeignOption.hint(for: typed, among: options)
  // The name of another command's option is not a spelling mistake.
  if hint == nil, !ProfileKeys.names.contains(where: { typed == "--" + $0 }) {
    hint = nearest(
      to: ForeignOption.isOneDashed(typed, among: options) ? "-" + typed : typed,
      among: (options.map(\.long) + ["help"]).map { "--" + $0 }
    ).map { "did you mean \($0)?" }
  }
  return UsageError(message: "unknown option \(escaped(typed))", hint: hint)
}

/// - Parameter origin: the text before the argument: "--timeout " or "TRIPWIRE_ENDPOINT=".
private func store<Values>(
  _ store: Option<Values>.Store?, _ argument: String, _ origin: String,
  into values: inout Values, _ errors: inout [UsageError]
) {
  do throws(InvalidValue) {
    try store?(&values, argument)
  } catch {
    errors.append(UsageError(error, in: argument, of: origin))
  }
}
