/// The options for the output on stderr.
struct OutputOptions: Sendable {
  var errorFormat = ErrorFormat.text
  var isVerbose = false
  var isQuiet = false
  var wantsVersion = false

  static let all: [Option<OutputOptions>] = [
    .flag(
      "verbose", short: "v", .common,
      "trace every step on stderr\nShows name resolution, connections, TLS, headers, sizes and times."
        + " Credentials are redacted.",
      store: { $0.isVerbose = true }),
    quiet.inside(\.isQuiet),
    .value(
      "error-format", "FORMAT", .common,
      "print errors as text (default) or json\njson is one object on stderr with code, number, message,"
        + " details, kind, method, name, peer, attempts, earlierAttempts, warnings and hint.",
      choice: Choice([("text", ErrorFormat.text), ("json", .json)]),
      store: { $0.errorFormat = $1 }),
    .flag("version", .common, "print the version", store: { $0.wantsVersion = true }),
  ]

  static let quiet = Option<Bool>.flag(
    "quiet", short: "q", .common, "print no warnings\nErrors are still printed.",
    store: { $0 = true })

  /// An error if two options contradict each other.
  var contradiction: UsageError? {
    isQuiet && isVerbose ? .conflict("--quiet", "--verbose") : nil
  }
}
