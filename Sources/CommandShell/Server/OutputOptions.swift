package import CommandLine

package struct OutputOptions: Sendable {
  package var errorFormat = ErrorFormat.text
  /// The number of times -v was given.
  var verbosity = 0
  var isQuiet = false
  var showsTiming = false
  var wantsVersion = false
  var color = Palette.Choice.auto

  package init() {}

  package var isVerbose: Bool { verbosity > 0 }

  static let all: [Option<OutputOptions>] = [
    verbose,
    quiet,
    .value(
      "error-format", "FORMAT", .common,
      "print errors as text (default) or json\njson is one object on stderr with code, number, message,"
        + " details, kind, sources, method, request, name, peer, attempts, earlierAttempts, warnings and hint, as far"
        + " as they apply. If the command succeeds, each warning is a line {\"warning\": …}. follow, map and relay"
        + " work write these lines at once.",
      choice: Choice([("text", ErrorFormat.text), ("json", .json)]),
      store: { $0.errorFormat = $1 }
    ).inFullHelpOnly().inProfiles(),
    .value(
      "timing", "FORMAT", .common,
      "print the times of each call on stderr, as json\nOne object per line, {\"timing\":{…}}, with method,"
        + " code, and the times resolveMs, connectMs, proxyMs, tlsMs, settingsMs, reflectionMs, firstByteMs,"
        + " messagesMs and totalMs in milliseconds. firstByteMs is from the request to the response headers."
        + " Steps that did not occur are omitted. A reflection call has a line of its own. The line of the call"
        + " that follows repeats the times of the connection and of reflection.",
      choice: Choice([("json", true)]), store: { $0.showsTiming = $1 }
    ).inFullHelpOnly().excludedByFrom,
    .value(
      "color", "WHEN", .common,
      "use colors: auto, always or never\nDefault: auto, which colors on a terminal, unless"
        + " NO_COLOR is set or TERM is dumb.",
      choice: Choice([("auto", Palette.Choice.auto), ("always", .always), ("never", .never)]),
      store: { $0.color = $1 }
    ).inFullHelpOnly().inProfiles(),
    version,
  ]

  package static let verbose = Option<OutputOptions>.flag(
    "verbose", short: "v", .common,
    "trace every step on stderr (repeatable)\nShows name resolution, connections, TLS, headers, sizes and"
      + " times; -vv also shows HTTP/2 frames. Credentials are redacted.",
    store: { $0.verbosity += 1 })

  package static let quiet = Option<OutputOptions>.flag(
    "quiet", short: "q", .common, "print no warnings\nErrors are still printed.",
    store: { $0.isQuiet = true }
  ).inFullHelpOnly().excluding(["verbose"])

  package static let version = Option<OutputOptions>.flag(
    "version", .common, "print the version", store: { $0.wantsVersion = true }
  ).inFullHelpOnly()
}
