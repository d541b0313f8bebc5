import CommandLine
import CommandShell

let versionCommand = Command.local(
  name: "version", summary: "print the versions of tripwire and its libraries", VersionOptions(),
  VersionOptions.all, help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    if let operand = line.operands.first {
      throw ErrorReport(
        UsageError(message: "unexpected argument \(escaped(operand)): version takes no arguments"))
    }
    let version = BuildVersion()
    return console.print(options.output == .json ? version.json : version.text)
  })

/// The options of `tripwire version`.
struct VersionOptions: Sendable {
  var output = OutputFormat.text

  enum OutputFormat {
    case text
    case json
  }

  static let all: [Option<VersionOptions>] = [
    .value(
      "output", short: "o", "FORMAT", .common, "print text (default) or json",
      choice: Choice([("text", OutputFormat.text), ("json", .json)]),
      store: { $0.output = $1 })
  ]
}

private let help =
  HelpText(
    usage: "tripwire version [-o FORMAT]",
    about:
      "Prints the version of tripwire and the versions of nghttp2 and OpenSSL. Also prints"
      + " the commit that tripwire was built from and its date, if the build recorded them.",
    sections: [
      HelpText.Section(
        title: HelpText.examples,
        rows: [("tripwire version", ""), ("tripwire version -o json | jq -r .version", "")])
    ], options: VersionOptions.all,
    exitCodes: [("0", "the version is on stdout"), ("2", "invalid command line")])
