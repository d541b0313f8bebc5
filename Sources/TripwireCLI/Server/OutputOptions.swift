/// The options for the output on stderr.
struct OutputOptions: Sendable {
  var errorFormat = ErrorFormat.text
  var isVerbose = false
  var wantsVersion = false

  static let all: [Option<OutputOptions>] = [
    .flag(
      "verbose", short: "v", .common,
      "trace every step on stderr\nShows name resolution, connections, TLS, headers, sizes and times."
        + " Credentials are redacted.",
      store: { $0.isVerbose = true }),
    .value(
      "error-format", "FORMAT", .common,
      "print errors as text (default) or json\njson is one object on stderr with code, number, message,"
        + " details, kind, method, peer, attempts, earlierAttempts, warnings and hint.",
      choice: Choice([("text", ErrorFormat.text), ("json", .json)]),
      store: { $0.errorFormat = $1 }
    ).inProfiles(),
    .flag("version", .common, "print the version", store: { $0.wantsVersion = true }),
  ]
}
