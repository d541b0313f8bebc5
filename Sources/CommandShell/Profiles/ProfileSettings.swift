package import CommandLine

/// The descriptions of the options that a profile may contain.
package struct ProfileSettings: Sendable {
  /// One description for each option and its forms in the commands.
  package let all: [OptionDescription]
  /// The options of all commands that use profiles.
  private let everywhere: [OptionDescription]

  package init(_ everywhere: [OptionDescription]) {
    self.everywhere = everywhere
    var names: Set<String> = []
    all = everywhere.filter { option in
      option.rule.allowsProfiles && names.insert(option.long).inserted
    }
  }

  /// Throws unless a command accepts the value.
  package func check(_ key: String, _ value: String) throws(InvalidValue) {
    var first: InvalidValue?
    var choices: [String] = []
    for option in everywhere where option.long == key {
      do throws(InvalidValue) {
        return try option.check(value)
      } catch {
        first = first ?? error
      }
      for name in option.choices where !choices.contains(name) { choices.append(name) }
    }
    // The commands accept different words: the error lists all of them.
    if !choices.isEmpty { _ = try Choice(choices.map { ($0, true) }).value(value) }
    if let first { throw first }
  }

  /// Returns a setting of a profile that excludes another one; nil if there is none.
  ///
  /// - Parameters:
  ///   - key: the long name of an option.
  ///   - keys: the other settings of the profile, without flags that are off.
  package func exclusion(of key: String, among keys: [String]) -> String? {
    func excludes(_ one: String, _ other: String) -> Bool {
      all.contains { $0.long == one && $0.rule.exclusions.contains { $0.other == other } }
    }
    return keys.first { excludes(key, $0) || excludes($0, key) }
  }

  func accepts(_ key: String, _ value: String) -> Bool {
    ProfileKeys.names.contains(key) && (try? check(key, value)) != nil
  }

  /// Why no profile may contain an option, and what to do instead; nil for an unknown name.
  ///
  /// - Parameter name: not one of ``ProfileKeys/names``.
  func refusal(of name: String) -> (reason: String, hint: String)? {
    let reason = "a profile must not contain \(escaped(name))"
    if name == "token" { return (reason, "set token-file or token-command") }
    guard let other = everywhere.first(where: { $0.long == name }) else { return nil }
    if case .refused(let hint) = other.rule.profiles { return (reason, hint) }
    return (reason, "pass --\(name) on the command line")
  }

  /// Returns the option for KEY of `tripwire config`.
  package func option(_ key: String) throws(UsageError) -> OptionDescription {
    let name = key.hasPrefix("--") ? String(key.dropFirst(2)) : key
    if let option = all.first(where: { $0.long == name }) { return option }
    if let refusal = refusal(of: name) {
      throw UsageError(message: "KEY: \(refusal.reason)", hint: refusal.hint)
    }
    throw UsageError(
      message: "KEY: \(shown(name)) is not an option that a profile may contain",
      hint: nearest(to: name, among: ProfileKeys.names).map { "did you mean \($0)?" }
        ?? "use one of \(ProfileKeys.names.joined(separator: ", "))")
  }
}
