import TestSupport
import Testing
import WireSystem

@testable import Tripwire

@Suite struct FileTokenTests {
  private let anyTrip = AuthorizationContext(resourceName: "providers/p/trips/t", tripID: "t")

  @Test(arguments: ["abc.def.ghi", "abc.def.ghi\n", "abc.def.ghi\r\n", "  abc.def.ghi\t\n\n"])
  func trimsWhiteSpace(text: String) throws {
    let token = try withTemporaryFile(text.utf8) { try FileToken(path: $0).token(for: anyTrip) }
    #expect(token == "abc.def.ghi")
  }

  @Test func fileIsReadForEveryCall() throws {
    try withTemporaryFile("first".utf8) { (path) throws in
      let provider = FileToken(path: path)
      #expect(try provider.token(for: anyTrip) == "first")
      let file = open(path, O_WRONLY | O_TRUNC)
      #expect(write(file, "second", 6) == 6)
      close(file)
      #expect(try provider.token(for: anyTrip) == "second")
    }
  }

  /// Most programs truncate a file before they write it.
  @Test func unreadableFileKeepsTheOldTokenUntilItExpires() throws {
    let clock = ManualTokenClock()
    // With `exp` 1795257000, an hour after the start of the clock.
    let jwt = "eyJhbGciOiJSUzI1NiJ9.eyJleHAiOjE3OTUyNTcwMDB9.c2ln"
    let path = try withTemporaryFile(jwt.utf8) { (path) throws in
      let provider = FileToken(path: path, now: { clock.now.wall })
      #expect(try provider.token(for: anyTrip).value == jwt)
      #expect(truncate(path, 0) == 0)
      #expect(try provider.token(for: anyTrip).value == jwt)
      unlink(path)
      #expect(try provider.token(for: anyTrip).value == jwt)
      clock.advance(by: 3600)
      #expect(throws: TokenError.self) { try provider.token(for: anyTrip) }
      return path
    }
    #expect(throws: TokenError.self) { try FileToken(path: path).token(for: anyTrip) }
  }

  /// Waiting for the writer would block a thread of the pool.
  @Test(.timeLimit(.minutes(20))) func pipeIsRejectedWithoutWaiting() throws {
    try withTemporaryFile("".utf8) { (path) throws in
      let pipe = path + ".pipe"
      try #require(mkfifo(pipe, 0o600) == 0)
      defer { unlink(pipe) }
      let error = #expect(throws: TokenError.self) {
        try FileToken(path: pipe).token(for: anyTrip)
      }
      #expect(
        error?.description.hasSuffix("not a regular file") == true)
    }
  }

  @Test(arguments: [
    (Array("\"eyJ.hush.x\"".utf8), "the token is in quotes: remove the quotes"),
    (Array("'eyJ.hush.x'".utf8), "the token is in quotes: remove the quotes"),
    (Array("{\"jwt\":\"eyJ.hush.x\"}".utf8), "the token is JSON: extract the token"),
    (Array("Authorization: Bearer eyJ.hush.x".utf8), "the token starts with \"Authorization:\""),
    (Array("bearer eyJ.hush.x".utf8), "the token starts with \"Bearer \": remove \"Bearer \""),
    ([0xef, 0xbb, 0xbf] + Array("eyJ".utf8), "the token starts with a byte order mark"),
    ([0xff, 0xfe, 0x65, 0, 0x79, 0], "the token is encoded in UTF-16: save it as ASCII"),
    ([0xfe, 0xff, 0, 0x65, 0, 0x79], "the token is encoded in UTF-16: save it as ASCII"),
    ([0x65, 0, 0x79, 0, 0x4a, 0], "the token is encoded in UTF-16: save it as ASCII"),
  ])
  func textAroundATokenIsReported(bytes: [UInt8], words: String) throws {
    let error = #expect(throws: TokenError.self) {
      try withTemporaryFile(bytes) { try FileToken(path: $0).token(for: anyTrip) }
    }
    #expect(error?.description.contains(": \(words)") == true, "\(String(describing: error))")
    #expect(error?.description.contains("hush") == false)
  }

  @Test(arguments: [
    ("", TokenError.empty), (" \n", .empty), ("a b", .illegalCharacter(offset: 1)),
    ("abc\ndef", .illegalCharacter(offset: 3)), ("ab\u{7f}", .illegalCharacter(offset: 2)),
    ("schlüssel", .illegalCharacter(offset: 4)),
  ])
  func invalidTokenIsRejectedWithoutBeingPrinted(text: String, problem: TokenError) throws {
    try withTemporaryFile(text.utf8) { path in
      let error = #expect(throws: TokenError.self) { try FileToken.token(in: path) }
      let reason = problem == .empty ? "the file is empty" : problem.description
      #expect(error?.description == "cannot read the token from \(path): \(reason)")
    }
    #expect(text.isEmpty || !problem.description.contains(text))
  }

  @Test func oversizedTokenIsRejected() throws {
    try withTemporaryFile(String(repeating: "x", count: 65_537).utf8) { path in
      let error = TokenError.unreadable(path: path, reason: "larger than 64 KiB")
      #expect(throws: error) { try FileToken.token(in: path) }
    }
  }

  @Test func unreadableFileIsReported() {
    let error = #expect(throws: TokenError.self) { try FileToken.token(in: "/nonexistent/token") }
    #expect(
      error?.description == "cannot read the token from /nonexistent/token:"
        + " No such file or directory")
  }

  @Test func fixedTokenIsNotPrinted() throws {
    let provider = try FixedToken("hush")
    #expect(provider.token(for: anyTrip) == "hush")
    var dumped = ""
    dump(provider, to: &dumped)
    for text in ["\(provider)", String(reflecting: provider), dumped] {
      #expect(!text.contains("hush"), "\(text)")
    }
  }
}
