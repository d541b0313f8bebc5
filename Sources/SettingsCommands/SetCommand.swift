import CommandLine
import CommandShell
import WireProtobuf
import WireSystem

let setCommand = Command.local(
  name: "config set", summary: "store the value of an option in a profile", ConfigOptions(),
  ConfigOptions.setting, operand: .setting, help: { setHelp },
  run: { (line, options, console) throws(ErrorReport) in
    try line.requireOperands(["KEY", "VALUE"], of: "config set")
    let option = try ErrorReport.reporting(console.settings().option(line.operands[0]))
    let value = try ErrorReport.reporting(
      option.profileValue(line.operands[1], console.settings()))
    return try change(line, options, console) { (profile, name) throws(UsageError) in
      let keys = profile.members.filter { $0.value.kind != .boolValue(false) }.map(\.name)
      if value.kind != .boolValue(false),
        let other = console.settings().exclusion(of: option.long, among: keys)
      {
        throw UsageError(
          message:
            "\(option.long) cannot be used with \(other), which the profile \(name) contains",
          hint: "run 'tripwire config unset \(other) --profile \(name)' first")
      }
      profile.fields[option.long] = value
    }
  })

let unsetCommand = Command.local(
  name: "config unset", summary: "remove a setting from a profile", ConfigOptions(),
  ConfigOptions.removing, operand: .setting, help: { unsetHelp },
  run: { (line, options, console) throws(ErrorReport) in
    try line.requireOperands(["KEY"], of: "config unset")
    let key = line.operands[0]
    return try change(line, options, console) { (profile, _) throws(UsageError) in
      // A key that this version does not know can be removed, too.
      if profile.fields.removeValue(forKey: key) == nil {
        let option = try console.settings().option(key)
        profile.fields[option.long] = nil
      }
    }
  })

/// Changes the selected profile. A profile without settings is removed.
///
/// - Parameter body: gets the settings, and the name of the profile.
private func change(
  _ line: ParsedCommandLine, _ options: ConfigOptions, _ console: Console,
  _ body: (inout Struct, _ name: String) throws(UsageError) -> Void
) throws(ErrorReport) -> ExitCode {
  try ConfigFile.change(try ConfigFile.requiredPath(console)) { config throws(ErrorReport) in
    let name = options.profile ?? config.nameOfCurrentProfile
    var profile = config.profiles[name] ?? Struct()
    try ErrorReport.reporting(body(&profile, escaped(name)))
    config.profiles[name] = profile.fields.isEmpty ? nil : profile
    if profile.fields.isEmpty, config.currentProfile == name { config.currentProfile = "" }
  }
  return .success
}

extension OptionDescription {
  /// Returns the value for a profile, checked as on the command line.
  fileprivate func profileValue(
    _ text: String, _ settings: ProfileSettings
  ) throws(UsageError) -> Value {
    let isFile = argument == "FILE" || argument == "DIR" || AccessTokenSource.isFile(text, of: long)
    do throws(InvalidValue) {
      // U+FFFD replaces bytes that are not UTF-8.
      guard !text.unicodeScalars.contains("\u{FFFD}") else {
        throw InvalidValue("the value is not UTF-8", mayBeShown: false)
      }
      guard !isFile || text != "-" else {
        throw InvalidValue("expected a file, not stdin")
      }
      if isFile, let kind = Credentials.kind(of: text) {
        throw InvalidValue(
          "expected the path of a file, found \(kind)", mayBeShown: false,
          hint: "save it in a file, and pass the path")
      }
      try settings.check(long, text)
      guard long != "nats" || !text.contains("@") else {
        throw InvalidValue(
          "a profile must not contain the user and password of a URL", mayBeShown: false,
          hint: "set NATS_URL in the environment, or use --nats-creds")
      }
    } catch {
      throw UsageError(error, in: text, of: "\(long) ")
    }
    if argument == nil { return Value(kind: .boolValue(text == "true")) }
    // The profile is used in other directories, too.
    return Value(kind: .stringValue(isFile ? LocalFile.absolutePath(text) : text))
  }
}

private let setHelp =
  HelpText(
    usage: "tripwire config set KEY VALUE [--profile NAME]",
    about:
      "Stores the value of an option in a profile. KEY is the long name of the option. VALUE is checked as"
      + " on the command line; for an option without an argument it is true or false. The path of a file is"
      + " stored as an absolute path. Without --profile, the first 'config set' creates the profile"
      + " \"default\". KEY is one of "
      + ProfileKeys.names.joined(separator: ", ")
      + ". The key 'output' applies only to get, follow, call, list and describe.",
    examples: [
      "tripwire config set endpoint localhost:50051": "",
      "tripwire config set plaintext true": "",
      "tripwire config set token-command 'my-backend token --trip $TRIPWIRE_TRIP_ID'": "",
    ], options: ConfigOptions.setting,
    exitCodes: configExitCodes(failuresOfChanges, usage: "invalid command line"))

private let unsetHelp =
  HelpText(
    usage: "tripwire config unset KEY [--profile NAME]",
    about: "Removes a setting from a profile. A profile without settings is removed, too.",
    examples: [
      "tripwire config unset plaintext": "use TLS again"
    ], options: ConfigOptions.removing,
    exitCodes: configExitCodes(failuresOfChanges, usage: "invalid command line"))
