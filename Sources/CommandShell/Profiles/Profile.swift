package import CommandLine
package import WireProtobuf

/// The settings of one name in the configuration file.
package struct Profile {
  package let name: String
  let file: ConfigFile
  /// The texts of the values by the long names of options.
  package let values: [String: String]

  /// - Throws: a report with line and column if a value is neither a string nor true or false.
  package init(_ name: String, _ fields: Struct, in file: ConfigFile) throws(ErrorReport) {
    self.name = name
    self.file = file
    var values: [String: String] = [:]
    for (key, value) in fields.fields {
      switch value.kind {
      case .stringValue(let text): values[key] = text
      case .boolValue(let isOn): values[key] = "\(isOn)"
      default:
        throw file.report(
          "\(escaped(key)): expected a string, true or false", at: [.key(key)], of: name)
      }
    }
    self.values = values
  }

  /// The token is for the endpoint of the same profile, or the default one without it.
  private static let tokenOptions = [
    "token-file", "credentials", "token-command", "token-for-all", "access-token", "sign-as",
    "quota-project",
  ]

  /// Returns the values without the token, if the server comes from elsewhere, and a note that says so.
  fileprivate func usable(
    after sources: [String: ValueSource]
  ) -> (values: [String: String], note: String?) {
    // Another token replaces all that the profile says about it. Only --sign-as needs an access token, too.
    let given = TokenOptions.sources.filter { sources[$0] != nil }
    let kept = given == ["sign-as"] ? ["access-token", "quota-project"] : ["quota-project"]
    let values =
      given.isEmpty
      ? values
      : values.filter { !Self.tokenOptions.contains($0.key) || kept.contains($0.key) }
    let server = ["replay", "endpoint"].first { sources[$0] != nil }
    guard let server, let source = sources[server],
      Self.tokenOptions.contains(where: { values[$0] != nil })
    else { return (values, nil) }
    let rest = values.filter { !Self.tokenOptions.contains($0.key) }
    let isReplaced = Self.tokenOptions.contains { sources[$0] != nil }
    return (
      rest,
      isReplaced
        ? nil
        : "the token of profile \(name) is not used: the server comes from"
          + " \(source.text(of: server))"
    )
  }
}

extension ParsedCommandLine {
  /// Returns the selected profile; nil for the current one.
  ///
  /// - Parameter name: the value of `--profile`.
  package func selection(_ name: String?) -> ProfileSelection? {
    name.map { ProfileSelection(name: $0, source: sources["profile"] ?? .option) }
  }

  /// Stores the values of the selected profile for the options that have no value from the command line or
  /// from a variable.
  ///
  /// - Parameter name: the value of `--profile`; nil for the current profile.
  /// - Throws: a report if the configuration file is invalid, or has no such profile.
  package mutating func apply<Values>(
    profile name: String?, _ options: [Option<Values>], into values: inout Values,
    on console: Console
  ) throws(ErrorReport) {
    guard let profile = try ConfigFile.profile(selection(name), console.environment) else { return }
    for key in profile.values.keys.sorted() where !ProfileKeys.names.contains(key) {
      let refusal = console.settings().refusal(of: key)
      let removal =
        "'tripwire config unset \(escaped(key)) --profile \(escaped(profile.name))'"
      throw profile.file.report(
        refusal?.reason ?? "unknown setting \"\(key)\"", at: [.name(key)], of: profile.name,
        hint: refusal.map { "run \(removal), and \($0.hint)" }
          ?? nearest(to: key, among: ProfileKeys.names).map { "did you mean \($0)?" }
          ?? "run \(removal)")
    }
    let usable = profile.usable(after: sources)
    note = usable.note
    let found = fallbacks(for: options) { option in
      option.rule.allowsProfiles ? usable.values[option.long] : nil
    }
    for (option, value) in found {
      do throws(InvalidValue) {
        try option.storeFallback(&values, value)
      } catch {
        // Another command has an option of this name with other words.
        if console.settings().accepts(option.long, value) { continue }
        throw profile.file.report(
          "\(option.long): \(error.reason)", at: [.key(option.long)], of: profile.name,
          hint: error.hint)
      }
      add(option, value, from: .profile(profile.name))
    }
  }
}
