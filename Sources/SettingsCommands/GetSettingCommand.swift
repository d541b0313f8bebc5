import CommandLine
import CommandShell

let getSettingCommand = Command.local(
  name: "config get", summary: "print a setting of a profile", ConfigOptions(),
  ConfigOptions.reading,
  operand: .setting, help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    try line.requireOperands(["KEY"], of: "config get")
    let key = try ErrorReport.reporting(console.settings().option(line.operands[0])).long
    let profile = try ConfigFile.profile(line.selection(options.profile), console.environment)
    guard let value = profile?.values[key] else {
      let name = profile?.name ?? ConfigFile.standardProfile
      throw ErrorReport(
        local: "\(key) is not set in the profile \(escaped(name))",
        hint: "run 'tripwire config list' to show the settings")
    }
    return console.print(value + "\n")
  })

private let help =
  HelpText(
    usage: "tripwire config get KEY [--profile NAME]",
    about:
      "Prints the stored value of a setting of a profile. 'tripwire config list --effective' shows the"
      + " variables that override it.",
    examples: [
      "tripwire config get endpoint --profile local": ""
    ], options: ConfigOptions.reading,
    exitCodes: configExitCodes("the setting is not set, or the file is invalid or unsafe"))
