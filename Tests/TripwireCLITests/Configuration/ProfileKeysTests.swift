import Testing

@testable import CommandLine

@Suite struct ProfileKeysTests {
  @Test func namesAreThoseOfTheTables() {
    #expect(ProfileKeys.all.map(\.long).sorted() == ProfileKeys.names)
  }

  /// The other commands need them on the command line, or they may hold credentials.
  @Test(arguments: [
    "header", "proxy", "keylog", "insecure-skip-verify", "record", "view", "nothing",
  ])
  func otherOptionsAreRefused(name: String) {
    #expect(throws: UsageError.self) { try ProfileKeys.option(name) }
    #expect(!ProfileKeys.accepts(name, "x"))
  }

  @Test func valueOfAnyCommandIsAccepted() throws {
    for value in ["json", "svg", "ndjson", "template", "text"] {
      try ProfileKeys.check("output", value)
    }
    let error = #expect(throws: InvalidValue.self) { try ProfileKeys.check("output", "yaml") }
    #expect(error?.reason == "expected one of json, text, geojson, svg, ndjson, template")
    #expect(throws: InvalidValue.self) { try ProfileKeys.check("plaintext", "1") }
  }

  @Test func keyMayHaveDashes() throws {
    #expect(try ProfileKeys.option("--endpoint").long == "endpoint")
  }
}
