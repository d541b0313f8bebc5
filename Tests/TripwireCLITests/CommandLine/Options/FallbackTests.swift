import Testing

@testable import CommandLine
@testable import CommandShell
@testable import FleetCommands

/// The precedence of the sources of options.
@Suite struct FallbackTests {
  private func parsed(
    _ arguments: [String], _ variables: [String: String]
  ) -> (MapCommandOptions, ParsedCommandLine) {
    var options = MapCommandOptions()
    let line = parse(arguments, MapCommandOptions.all, into: &options) { variables[$0] }
    #expect(line.error == nil)
    return (options, line)
  }

  /// The names of the options that take their values from a profile.
  private func used(
    _ profile: [String: String], _ arguments: [String] = [], _ variables: [String: String] = [:]
  ) -> Set<String> {
    let line = parsed(arguments, variables).1
    return Set(line.fallbacks(for: MapCommandOptions.all) { profile[$0.long] }.map(\.option.long))
  }

  @Test func sourcesAreStored() {
    var (options, line) = parsed(["--interval=1s"], ["TRIPWIRE_ENDPOINT": "localhost"])
    #expect(line.sources == ["interval": .option, "endpoint": .variable("TRIPWIRE_ENDPOINT")])
    options.server.sources = line.sources
    #expect(options.server.endpointSource == .variable)
  }

  @Test(
    arguments: [
      ([:], [], [], []),
      (["timeout": "1s"], [], [], ["timeout"]),
      (["timeout": "1s"], ["--timeout", "2s"], [], []),
      (["provider": "p"], [], ["TRIPWIRE_PROVIDER"], []),
      (["endpoint": "h"], ["--replay", "f"], [], []),
      (["endpoint": "h", "plaintext": "true"], [], [], ["endpoint", "plaintext"]),
      (["endpoint": "h", "plaintext": "true"], ["--endpoint", "x"], [], []),
      (["endpoint": "h", "plaintext": "true"], [], ["TRIPWIRE_ENDPOINT"], []),
      (["endpoint": "h", "plaintext": "true"], ["--cacert", "f"], [], ["endpoint"]),
      (["plaintext": "true"], [], [], []),
      (["plaintext": "false"], [], [], ["plaintext"]),
      (["plaintext": "no"], [], [], ["plaintext"]),
      (["endpoint": "h", "cacert": "f"], ["--plaintext"], [], ["endpoint"]),
      (["cert": "c", "key": "k"], ["--cert", "x"], [], []),
      (["cert": "c", "key": "k"], [], [], ["cert", "key"]),
      (["token-command": "c", "token-for-all": "true"], ["--token-file", "f"], [], []),
      (["token-command": "c"], [], ["TRIPWIRE_TOKEN"], []),
      (["token-for-all": "true"], [], [], []),
      (["credentials": "f"], [], ["GOOGLE_APPLICATION_CREDENTIALS"], ["credentials"]),
      (["tiles": "t", "attribution": "a"], [], [], ["tiles", "attribution"]),
      (["attribution": "a"], ["--tiles", "https://h/{z}/{x}/{y}"], [], []),
    ] as [([String: String], [String], [String], Set<String>)])
  func otherSourcesHavePriorityOverAProfile(
    profile: [String: String], arguments: [String], variables: [String], expected: Set<String>
  ) {
    let values = Dictionary(uniqueKeysWithValues: variables.map { ($0, "x") })
    #expect(used(profile, arguments, values) == expected)
  }

  @Test func disabledFlagExcludesNoOther() {
    let profile = ["endpoint": "h", "plaintext": "true", "cacert": "f"]
    #expect(used(profile, [], ["TRIPWIRE_PLAINTEXT": "false"]) == ["endpoint", "cacert"])
  }

  @Test func settingsAreNamedByTheirSource() {
    let sources: [String: ValueSource] = [
      "cert": .profile("p"), "sign-as": .variable("TRIPWIRE_SIGN_AS"), "plaintext": .option,
    ]
    #expect(
      ["--cert", "--sign-as", "--plaintext", "--key", "TRIPWIRE_TOKEN"].map(sources.label(of:)) == [
        "--cert", "TRIPWIRE_SIGN_AS", "--plaintext", "--key", "TRIPWIRE_TOKEN",
      ])
    #expect(
      ["--cert", "--sign-as", "--plaintext", "--key", "TRIPWIRE_TOKEN"].map(sources.name(of:)) == [
        "the cert of profile p", "TRIPWIRE_SIGN_AS", "--plaintext", "--key", "TRIPWIRE_TOKEN",
      ])
    #expect(
      ["--cert", "--sign-as", "--plaintext"].map(sources.removal(of:)) == [
        "run 'tripwire config unset cert --profile p'", "unset TRIPWIRE_SIGN_AS",
        "remove --plaintext",
      ])
  }

  @Test func variablesThatExcludeEachOtherAreNamed() {
    let line = parsed([], ["TRIPWIRE_TOKEN": "x", "TRIPWIRE_SIGN_AS": "a@b"]).1
    let error = line.contradiction(of: MapCommandOptions.all)
    #expect(error?.message == "TRIPWIRE_TOKEN cannot be used with TRIPWIRE_SIGN_AS")
    #expect(error?.hint == "unset TRIPWIRE_TOKEN, or unset TRIPWIRE_SIGN_AS")
    let report = error.map { line.withSources(ErrorReport($0)) }
    #expect(report?.origin.lines(besides: report?.message ?? "") == [])
    #expect(
      report?.json.contains(
        #""sources":{"token-file":"TRIPWIRE_TOKEN","sign-as":"TRIPWIRE_SIGN_AS"}"#) == true)
  }

  @Test func errorsNameTheSourceOfAnOption() {
    let line = ParsedCommandLine(
      operands: [], help: nil, error: nil,
      sources: ["cert": .profile("p"), "plaintext": .option])
    let usage = line.withSources(ErrorReport(.conflict("--cert", "--plaintext")))
    #expect(usage.origin.lines(besides: usage.message) == ["--cert comes from profile p"])
    let report = line.withSources(ErrorReport(local: "no such file", of: "--cert"))
    #expect(report.text == "error: no such file\n  --cert comes from profile p\n")
    #expect(report.json.contains(#","kind":"local","sources":{"cert":"profile p"},"attempts":0"#))
    for option in ["--plaintext", "-d", "--", "--key", "SSL_CERT_FILE", nil] {
      let report = line.withSources(ErrorReport(local: "--cert: no", of: option))
      #expect(report.origin.lines(besides: "").isEmpty)
      #expect(!report.json.contains("sources"))
    }
  }
}
