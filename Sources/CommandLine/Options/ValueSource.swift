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
