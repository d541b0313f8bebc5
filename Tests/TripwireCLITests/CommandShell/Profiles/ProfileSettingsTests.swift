import Testing

@testable import CommandLine
@testable import CommandShell
@testable import TripwireCLI

@Suite struct ProfileSettingsTests {
  @Test func namesAreThoseOfTheTables() {
    #expect(profileSettings.all.map(\.long).sorted() == ProfileKeys.names)
  }

  /// The other commands need them on the command line, or they may hold credentials.
  @Test(arguments: [
    "header", "proxy", "keylog", "insecure-skip-verify", "record", "view", "nothing",
  ])
  func otherOptionsAreRefused(name: String) {
    #expect(throws: UsageError.self) { try profileSettings.option(name) }
    #expect(!profileSettings.accepts(name, "x"))
  }

  @Test func valueOfAnyCommandIsAccepted() throws {
    for value in ["json", "svg", "ndjson", "template", "text"] {
      try profileSettings.check("output", value)
    }
    let error = #expect(throws: InvalidValue.self) { try profileSettings.check("output", "yaml") }
    #expect(error?.reason == "expected one of json, text, geojson, svg, ndjson, template")
    #expect(throws: InvalidValue.self) { try profileSettings.check("plaintext", "1") }
  }

  @Test(
    arguments: [
      ("sign-as", ["token-file"], "token-file"),
      ("token-file", ["provider", "sign-as"], "sign-as"),
      ("credentials", ["access-token"], "access-token"),
      ("token-command", ["credentials"], "credentials"),
      ("cacert", ["plaintext"], "plaintext"), ("plaintext", ["cert"], "cert"),
      ("sign-as", ["access-token", "quota-project"], nil), ("sign-as", ["sign-as"], nil),
      ("token-for-all", ["token-command"], nil), ("endpoint", ["plaintext"], nil),
    ] as [(String, [String], String?)])
  func settingsExcludeEachOther(key: String, keys: [String], other: String?) {
    #expect(profileSettings.exclusion(of: key, among: keys) == other)
  }

  @Test func keyMayHaveDashes() throws {
    #expect(try profileSettings.option("--endpoint").long == "endpoint")
  }
}
