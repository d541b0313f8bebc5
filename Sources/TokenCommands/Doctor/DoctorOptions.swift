import CommandLine
import CommandShell

/// The options of `tripwire doctor`.
struct DoctorOptions: ServerCommandOptions {
  var server = ServerOptions()
  var provider = ProviderOption()
  var output = OutputFormat.text

  enum OutputFormat {
    case text
    case json
  }

  /// The default time limit of a step.
  static let stepTimeout = Duration.seconds(5)

  static let all: [Option<DoctorOptions>] =
    [
      .value(
        "output", short: "o", "FORMAT", .common,
        "print text (default) or json\njson is one object with endpoint, steps and exitCode. A step has"
          + " name, outcome and message and, as far as they apply, milliseconds, hint, certificates, settings,"
          + " claims and sources. The outcome is ok, info, warning, failed or skipped.",
        choice: Choice([("text", OutputFormat.text), ("json", .json)]),
        store: { $0.output = $1 })
    ] + ProviderOption.all.map { $0.inside(\.provider) }
    + ServerOptions.all.map { option in
      (option.long == "timeout"
        ? option.described("stop each step after TIME, such as 500ms or 2m\nDefault: 5s.") : option)
        .inside(\.server)
    }
}
