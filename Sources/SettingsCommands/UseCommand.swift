import CommandLine
import CommandShell

let useCommand = Command.local(
  name: "config use", summary: "select the profile that is used from now on", UseOptions(), [],
  operand: .profile, help: { useHelp },
  run: { (line, _, console) throws(ErrorReport) in
    try line.requireOperands(["NAME"], of: "config use")
    let name = line.operands[0]
    try ConfigFile.change(try ConfigFile.requiredPath(console)) { config throws(ErrorReport) in
      guard config.profiles[name] != nil else {
        throw ConfigFile.missing("NAME: \(shown(name))", name, among: config)
      }
      config.currentProfile = name == ConfigFile.standardProfile ? "" : name
    }
    return .success
  })

let pathCommand = Command.local(
  name: "config path", summary: "print the path of the configuration file", UseOptions(), [],
  help: { pathHelp },
  run: { (line, _, console) throws(ErrorReport) in
    try line.requireOperands([], of: "config path")
    return console.print(try ConfigFile.requiredPath(console) + "\n")
  })

private struct UseOptions: Sendable {}

private let useHelp =
  HelpText(
    usage: "tripwire config use NAME",
    about:
      "Selects the profile that is used if neither --profile nor TRIPWIRE_PROFILE selects one.",
    examples: [
      "tripwire config use local": ""
    ], options: [Option<UseOptions>](), exitCodes: configExitCodes(failuresOfChanges))

private let pathHelp =
  HelpText(
    usage: "tripwire config path",
    about: "Prints the path of the configuration file, which need not exist.",
    examples: [
      "cat \"$(tripwire config path)\"": "show the file"
    ], options: [Option<UseOptions>](),
    exitCodes: configExitCodes(
      "neither XDG_CONFIG_HOME nor HOME is an absolute path", usage: "invalid command line"))
