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

/// How environment variables and profiles provide the value of an option.
package struct FallbackRule: Sendable {
  package enum ProfileUse: Sendable {
    case unsupported
    case supported
    /// The value may contain a credential, which no profile holds. The hint names another source.
    case refused(hint: String)
  }

  package var profiles = ProfileUse.unsupported
  /// The value is ignored if one of these options has a value from a source of higher precedence.
  var hiddenBy: [String] = []
  /// The value is used only together with the value of this option from the same source.
  var companion: String?
  /// Whether profiles precede the variable. It is stored in any case then, for the command to decide.
  var isLastResort = false

  /// Whether profiles may provide the value.
  package var allowsProfiles: Bool { if case .supported = profiles { true } else { false } }
}
