import CommandLine
package import CommandShell

/// - Parameter settings: returns the options that profiles may contain.
package func configCommand(_ settings: @escaping @Sendable () -> ProfileSettings) -> Command {
  let subcommands = [
    setCommand, unsetCommand, getSettingCommand, listSettingsCommand(settings), useCommand,
    pathCommand,
  ]
  return .group(
    name: "config", summary: "show and change profiles, which keep options",
    subcommands: subcommands, missing: "run 'tripwire config list' to show the profiles",
    help: { help(subcommands) })
}

/// The options of the subcommands that change or show one profile.
struct ConfigOptions: Sendable {
  /// The name of the selected profile; nil for the current one.
  var profile: String?

  /// The options of the subcommands that print a setting.
  static let reading = options("print the setting of this profile\n\(ProfileOption.standard)")
  /// The options of `config set`.
  static let setting = options(
    "change this profile\nCreates it if it does not exist. \(ProfileOption.standard)")
  /// The options of `config unset`.
  static let removing = options("change this profile\n\(ProfileOption.standard)")

  private static func options(_ help: String) -> [Option<ConfigOptions>] {
    ProfileOption.all.map { $0.described(help).inside(\.profile) }
  }
}

extension ConfigFile {
  static func requiredPath(_ console: Console) throws(ErrorReport) -> String {
    guard let path = path(console.environment) else {
      throw ErrorReport(
        local:
          "the path of the configuration file is unknown: neither XDG_CONFIG_HOME nor HOME is an"
          + " absolute path",
        hint: "set HOME or XDG_CONFIG_HOME to an absolute path")
    }
    return path
  }
}

/// Returns the exit codes of a subcommand.
func configExitCodes(
  _ failure: String, usage: String = "invalid command line, or an unknown profile"
) -> [HelpText.Row] {
  [("0", "success"), ("1", failure), ("2", usage)]
}

/// The failures of the subcommands that change the file.
let failuresOfChanges = "the file is invalid or unsafe, or cannot be written"

private func help(_ subcommands: [Command]) -> HelpText {
  HelpText(
    usage: "tripwire config set|unset|get|list|use|path",
    about:
      "Shows and changes profiles. A profile keeps the values of options, so that you need not type"
      + " them. Every command that makes calls or connects to NATS uses it, and so does 'token mint'."
      + " Options on the command line have priority over environment variables such as TRIPWIRE_ENDPOINT, and"
      + " both have priority over the profile. GOOGLE_APPLICATION_CREDENTIALS is used only if nothing else"
      + " provides a token, and NO_COLOR only if color is auto. If the endpoint comes from an option or a"
      + " variable, 'plaintext' and the source of tokens in the profile are not used. Profiles are for the sources of"
      + " tokens, not for tokens and passwords: do not put them into the URL of tiles or a token command, either.",
    examples: [
      "tripwire config set provider my-project": "keep --provider; then: tripwire get t1",
      "tripwire config set --profile local endpoint localhost:50051": "make another profile",
      "tripwire get t1 --profile local": "use that profile once",
      "tripwire config use local": "use it from now on",
      "tripwire config list --effective": "show all values and their sources",
    ],
    sections: [
      HelpText.Section(
        title: "Commands", rows: subcommands.map { ($0.name, $0.summary) }),
      HelpText.Section(
        title: "Files",
        rows: [
          (
            "$XDG_CONFIG_HOME/tripwire/config.json",
            "the profiles; ~/.config/tripwire/config.json if XDG_CONFIG_HOME is not set. tripwire refuses"
              + " the file if other users may write it"
          )
        ]),
    ], options: [.help])
}
