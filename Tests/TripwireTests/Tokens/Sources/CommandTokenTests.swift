import Testing

@testable import Tripwire

@Suite struct CommandTokenTests {
  private func token(_ line: String, timeout: Duration = .seconds(3600)) async throws -> AuthToken {
    try await CommandToken(shell: line, timeout: timeout).token(for: aTrip())
  }

  @Test func tokenIsTheOutputOfTheCommand() async throws {
    #expect(try await token("echo abc.def.ghi").value == "abc.def.ghi")
    #expect(try await CommandToken(["echo", "abc"]).token(for: aTrip()).value == "abc")
  }

  @Test func environmentNamesTheResource() async throws {
    let line = "echo \"$TRIPWIRE_RESOURCE,$TRIPWIRE_TRIP_ID,$TRIPWIRE_VEHICLE_ID\""
    #expect(try await token(line).value == "providers/p/trips/t1,t1,")
  }

  @Test(
    arguments: [
      (#"{"token": "abc"}"#, nil),
      (#"{"token": "abc", "expirationTimestamp": null, "expiresIn": null}"#, nil),
      (#"{"token": "abc", "expirationTimestamp": null, "expiresIn": 60}"#, 160),
      (#"{"token": "abc", "expiresIn": 60}"#, 160),
      (#"{"access_token": "abc", "token_type": "Bearer", "expires_in": 60}"#, 160),
      (#"{"token": "abc", "expirationTimestamp": "1970-01-01T00:10:00Z"}"#, 600),
      (#"{"jwt": "abc", "expirationTimestamp": 1795257000000}"#, 1_795_257_000),
      (#"{"jwt": "abc", "expirationTimestamp": 1795257000}"#, 1_795_257_000),
      (#"{"jwt": "abc", "creationTimestamp": 1}"#, nil),
      (
        #"{"kind": "ExecCredential", "status": {"token": "abc", "#
          + #""expirationTimestamp": "1970-01-01T00:10:00Z"}}"#, 600
      ),
    ] as [(String, Double?)])
  func parsesJSONOutput(output: String, expiration: Double?) throws {
    let token = try CommandToken.token(Array(" \(output)\n".utf8), now: 100)
    #expect(token.value == "abc")
    #expect(token.expiration == expiration)
  }

  @Test(arguments: [
    ("exit 3", "the token command failed with exit code 3"),
    (
      "echo secret; echo first >&2; echo 'no such account' >&2; echo >&2; exit 1",
      "the token command failed with exit code 1: first | no such account"
    ),
    ("kill -KILL $$", "the token command was terminated by signal 9"),
    ("true", "the token is empty"),
    ("echo Bearer secret", "the token starts with \"Bearer \": remove \"Bearer \""),
    ("echo secret token", "the token has an invalid character at byte offset 6"),
    ("echo '{\"secret\": 1'", "the token response is invalid: not a JSON object"),
    (
      "echo '{\"secret\": 1}'",
      "the token response is invalid: the field token is missing or not a string"
    ),
    (
      "echo '{\"token\": \"secret\", \"expiresIn\": -5}'",
      "the token response is invalid: the field expiresIn is negative"
    ),
    (
      "echo '{\"jwt\": \"secret\", \"expirationTimestamp\": 3600}'",
      "the token response is invalid: the field expirationTimestamp is a lifetime, expected a time since 1970"
    ),
    ("cat /dev/zero", "the token command wrote more than 128 KiB to stdout"),
  ])
  func failuresAreReported(line: String, message: String) async {
    let error = await #expect(throws: TokenError.self) { try await token(line) }
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
    #expect(error?.description.contains("secret") == false)
  }

  @Test(arguments: [
    (
      "echo no eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl >&2; exit 1",
      "the token command failed with exit code 1: no ***"
    ),
    (
      "set -x; false --user me:hush", "the token command failed with exit code 1: + ***"
    ),
  ])
  func credentialsInStderrAreMasked(line: String, message: String) async {
    let error = await #expect(throws: TokenError.self) { try await token(line) }
    #expect(error?.description == message)
  }

  @Test func missingProgramIsReported() async {
    let error = await #expect(throws: TokenError.self) {
      try await CommandToken(["/nonexistent/helper"]).token(for: aTrip())
    }
    #expect(
      error?.description
        == "the token command /nonexistent/helper cannot be started: No such file or directory")
  }

  @Test func emptyCommandIsReported() async {
    let error = await #expect(throws: TokenError.self) {
      try await CommandToken([]).token(for: aTrip())
    }
    #expect(error?.description == "the token command is empty")
  }

  @Test func slowCommandTimesOut() async {
    let error = await #expect(throws: TokenError.self) {
      try await token("sleep 100", timeout: .milliseconds(50))
    }
    #expect(error?.description.contains("did not end within") == true)
  }

  @Test func canceledCallCancelsTheCommand() async {
    let waiting = Task { try await token("sleep 100") }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func tokenForAllIsShared() {
    let one = CommandToken(["x"], dependsOnContext: false)
    #expect(one.sharedContext(for: aTrip("t1")) == one.sharedContext(for: aTrip("t2")))
    let each = CommandToken(["x"])
    #expect(each.sharedContext(for: aTrip("t1")) != each.sharedContext(for: aTrip("t2")))
  }

  @Test func argumentsAreNotPrinted() {
    let command = CommandToken(["vault", "-secret", "hush"])
    var dumped = ""
    dump(command, to: &dumped)
    for text in ["\(command)", String(reflecting: command), dumped] {
      #expect(!text.contains("hush"), "\(text)")
    }
  }
}
