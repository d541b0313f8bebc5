/// The source of an option's value. The cases are in the order of precedence.
package enum ValueSource: Equatable, Sendable {
  /// The command line.
  case option
  case variable(String)
  case profile(String)

  package var isProfile: Bool { if case .profile = self { true } else { false } }

  /// The source in a text: "--endpoint", "TRIPWIRE_ENDPOINT", "profile default".
  ///
  /// - Parameter option: the option without its dashes.
  package func text(of option: String) -> String {
    switch self {
    case .option: "--\(option)"
    case .variable(let name): name
    case .profile(let name): "profile \(name)"
    }
  }
}

extension [String: ValueSource] {
  /// Returns the name of a setting for the message of an error: "--sign-as", or its variable. A further line of the
  /// report names a profile.
  ///
  /// - Parameter option: with its dashes. Any other text is returned unchanged.
  package func label(of option: String) -> String {
    guard case .variable(let name)? = LongOptions.longName(option).flatMap({ self[$0] }) else {
      return option
    }
    return name
  }

  /// Returns the name of a setting for a hint: "--sign-as", its variable, or "the sign-as of profile default".
  ///
  /// - Parameter option: with its dashes. Any other text is returned unchanged.
  package func name(of option: String) -> String {
    guard let long = LongOptions.longName(option), case .profile(let profile)? = self[long] else {
      return label(of: option)
    }
    return "the \(long) of profile \(profile)"
  }

  /// Returns the action that removes a setting.
  ///
  /// - Parameter option: with its dashes.
  package func removal(of option: String) -> String {
    guard let long = LongOptions.longName(option) else { return "remove \(option)" }
    return switch self[long] {
    case nil, .option: "remove \(option)"
    case .variable(let name): "unset \(name)"
    case .profile(let profile): "run 'tripwire config unset \(long) --profile \(profile)'"
    }
  }
}
