import CommandLine
import CommandShell

let versionCommand = Command.local(
  name: "version", summary: "print the versions of tripwire and its libraries", VersionOptions(),
  VersionOptions.all, help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    try line.requireOperands([], of: "version")
    let version = BuildVersion()
    return console.print(options.isJSON ? version.json : version.text)
  })

struct VersionOptions: Sendable {
  var isJSON = false

  static let all: [Option<VersionOptions>] = [
    .value(
      "output", short: "o", "FORMAT", .common, "print text (default) or json",
      choice: Choice([("text", false), ("json", true)]), store: { $0.isJSON = $1 })
  ]
}

private let help =
  HelpText(
    usage: "tripwire version [-o FORMAT]",
    about:
      "Prints the version of tripwire and the versions of nghttp2 and OpenSSL. Also prints"
      + " the commit that tripwire was built from and its date, if the build recorded them.",
    examples: [
      "tripwire version": "", "tripwire version -o json | jq -r .version": "",
    ], options: VersionOptions.all,
    exitCodes: [("0", "the version is on stdout"), ("2", "invalid command line")])
