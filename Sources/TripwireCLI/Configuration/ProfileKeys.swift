/// The options that a profile may contain.
enum ProfileKeys {
  /// The long names of ``all``, sorted. Commands look them up here, because the tables of all options take
  /// long to build.
  static let names = [
    "attribution", "authority", "cacert", "cert", "color", "credentials", "crlfile", "endpoint",
    "error-format", "interval", "key", "leaflet", "max-message-size", "nats", "output", "plaintext",
    "provider", "retries", "tiles", "timeout", "token-command", "token-file", "token-for-all",
  ]

  /// One description for each option and its forms in the commands.
  static let all: [OptionDescription] = {
    var names: Set<String> = []
    return everywhere.filter { option in
      option.rule.allowsProfiles && names.insert(option.long).inserted
    }
  }()

  /// The options of all commands that use profiles.
  private static let everywhere: [OptionDescription] =
    GetOptions.all.map(OptionDescription.init) + FollowOptions.all.map(OptionDescription.init)
    + MapCommandOptions.all.map(OptionDescription.init)
    + RelayServer.relayOptions.map(OptionDescription.init)
    + CallCommandOptions.all.map(OptionDescription.init)
    + SchemaCommandOptions.all.map(OptionDescription.init)
    + MintOptions.all.map(OptionDescription.init)

  /// Throws unless a command accepts the value.
  static func check(_ key: String, _ value: String) throws(InvalidValue) {
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

  static func accepts(_ key: String, _ value: String) -> Bool {
    names.contains(key) && (try? check(key, value)) != nil
  }

  static func nearest(to key: String) -> String? {
    TripwireCLI.nearest(to: key, among: names)
  }

  /// Why no profile may contain an option, and what to do instead; nil for an unknown name.
  ///
  /// - Parameter name: not one of ``names``.
  static func refusal(of name: String) -> (reason: String, hint: String)? {
    let reason = "a profile must not contain \(escaped(name))"
    if name == "token" { return (reason, "set token-file or token-command") }
    guard let other = everywhere.first(where: { $0.long == name }) else { return nil }
    if case .refused(let hint) = other.rule.profiles { return (reason, hint) }
    return (reason, "pass --\(name) on the command line")
  }

  /// Returns the option for KEY of `tripwire config`.
  static func option(_ key: String) throws(UsageError) -> OptionDescription {
    let name = key.hasPrefix("--") ? String(key.dropFirst(2)) : key
    if let option = all.first(where: { $0.long == name }) { return option }
    if let refusal = refusal(of: name) {
      throw UsageError(message: "KEY: \(refusal.reason)", hint: refusal.hint)
    }
    throw UsageError(
      message: "KEY: \(shown(name)) is not an option that a profile may contain",
      hint: nearest(to: name).map { "did you mean \($0)?" }
        ?? "use one of \(names.joined(separator: ", "))")
  }
}
