import Testing

@testable import CommandLine
@testable import CommandShell
@testable import Tripwire

@Suite struct HeaderTests {
  @Test(arguments: [
    ("x-test: a value ", "a value"), ("x-test:a: b:c", "a: b:c"), ("X-Test: \ta", "a"),
    ("x-test:", ""),
  ])
  func parsesTextHeaders(text: String, value: String) throws {
    let metadata = try Parse.header(text)
    #expect(metadata.map(\.name) == ["x-test"])
    #expect(metadata["x-test"] == value)
  }

  @Test(arguments: ["x-test-bin: AAH/", "X-Test-BIN:AAH/"])
  func parsesBinaryHeaders(text: String) throws {
    #expect(try Parse.header(text)[binary: "x-test-bin"] == [0, 1, 255])
  }

  @Test func errorShowsTheName() {
    let error = #expect(throws: InvalidValue.self) { try Parse.header("GRPC-Foo: hush") }
    #expect(error?.shownPart == "'grpc-foo: …'")
    #expect(error?.reason == "names that start with \"grpc-\" are reserved for gRPC")
  }

  /// The text after the name may be a credential.
  @Test(arguments: [
    ("hush", "expected 'NAME: VALUE'"), (": hush", "expected 'NAME: VALUE'"),
    (":path: hush", "header names that start with ':' are reserved"),
    ("x-bin: hush!", "expected base64 after the colon"),
    ("grpc-timeout: hush", "reserved for gRPC"),
    ("x test: hush", "at offset 1 of the name"), ("x-test: hüsh", "at offset 1 of the value"),
    ("x-test:\u{301}hush", "at offset 0 of the value"),
    ("x\u{1b}: hush", "U+001B"),
  ])
  func invalidHeadersAreRejectedWithoutTheirValue(text: String, reason: String) {
    let error = #expect(throws: InvalidValue.self) { try Parse.header(text) }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    #expect(error?.mayBeShown == false)
    #expect(error?.reason.contains("hush") == false)
    #expect(error?.shownPart?.contains("hush") != true)
  }
}
