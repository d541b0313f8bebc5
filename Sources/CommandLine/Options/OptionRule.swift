/// How an option depends on other options, and how variables and profiles provide its value.
package struct OptionRule: Sendable {
  package enum ProfileUse: Sendable {
    case unsupported
    case supported
    /// The value may contain a credential, which no profile holds. The hint names another source.
    case refused(hint: String)
  }

  package var profiles = ProfileUse.unsupported
  /// Options that cannot be given together with this one. If two come from different sources, the value from
  /// the lower one is ignored. Without a hint, the error suggests removing one of the two.
  package var exclusions: [(other: String, hint: String?)] = []
  /// The required options: at least one of each list.
  package var requirements: [[String]] = []
  /// Like ``requirements``, for values from a variable or a profile. Both values must come from the same
  /// source; otherwise this one is ignored.
  var companions: [[String]] = []
  /// Whether profiles precede the variable. Its value is then always stored, and the command decides which
  /// one to use.
  var isLastResort = false

  /// Whether profiles may provide the value.
  package var allowsProfiles: Bool { if case .supported = profiles { true } else { false } }
}

extension Option {
  /// Returns the option, which cannot be used with any of the others.
  ///
  /// - Parameter hint: nil suggests removing one of the two.
  package func excluding(_ others: [String], hint: String? = nil) -> Option {
    var option = self
    option.description.rule.exclusions += others.map { ($0, hint) }
    return option
  }

  /// Returns the option, which requires one of the others.
  package func requiring(_ others: String...) -> Option {
    var option = self
    // A requirement that is added later is that of a command, and more general.
    option.description.rule.requirements.insert(others, at: 0)
    return option
  }
}

extension ParsedCommandLine {
  /// Returns an error if two options exclude each other, or one is given without another that it requires.
  package func contradiction<Values>(of options: [Option<Values>]) -> UsageError? {
    for option in options where isGiven(option.long) {
      if let (other, hint) = option.rule.exclusions.first(where: { isGiven($0.other) }) {
        return .conflict(
          sources.label(of: "--\(option.long)"), sources.label(of: "--\(other)"),
          of: [option.long, other],
          hint: hint
            ?? "\(sources.removal(of: "--\(option.long)")), or \(sources.removal(of: "--\(other)"))",
          isConflict: hint == nil)
      }
      if let others = option.rule.requirements.first(where: { !$0.contains(where: isGiven) }) {
        return .requirement(
          of: "--\(option.long)", others.map { "--\($0)" }.joined(separator: " or "))
      }
    }
    return nil
  }
}
