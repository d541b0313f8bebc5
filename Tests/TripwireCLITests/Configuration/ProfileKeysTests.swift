import Testing

@testable import TripwireCLI

@Suite struct ProfileKeysTests {
  @Test func everyKeyHasOneDescription() {
    let keys = ProfileKeys.all.map(\.long)
    #expect(Set(keys).count == keys.count)
    #expect(
      Set(keys) == [
        "attribution", "authority", "cacert", "cert", "color", "credentials", "crlfile",
        "endpoint", "error-format", "interval", "key", "leaflet", "max-message-size", "nats",
        "output",
        "plaintext",
        "provider", "retries", "tiles", "timeout", "token-command", "token-file", "token-for-all",
      ])
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
    #expect(throws: BadValue.self) { try ProfileKeys.check("output", "yaml") }
    #expect(throws: BadValue.self) { try ProfileKeys.check("plaintext", "1") }
  }

  @Test func keyMayHaveDashes() throws {
    #expect(try ProfileKeys.option("--endpoint").long == "endpoint")
  }
}
