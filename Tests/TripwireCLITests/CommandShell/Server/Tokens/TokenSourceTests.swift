import Testing

@testable import CommandShell
@testable import Tripwire

@Suite struct TokenSourceTests {
  private let context = AuthorizationContext(resourceName: "providers/p/trips/t")

  @Test(arguments: ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "ya29.a0-_~+x=="])
  func variableMayHoldTheToken(value: String) async throws {
    #expect(try await TokenSource.variable(value).provider().token(for: context).value == value)
  }

  @Test func variableMayNameAFile() {
    let error = #expect(throws: ErrorReport.self) {
      try TokenSource.variable("/dev/null").provider()
    }
    #expect(
      error?.message
        == "TRIPWIRE_TOKEN: /dev/null: the file is empty")
    #expect(error?.hint == "check TRIPWIRE_TOKEN, or use --token-file")
    #expect(error?.exitCode == .localFailure)
  }

  @Test(
    arguments: [
      ("nofile.jwt", "nofile.jwt"),
      ("two words.jwt", "two words.jwt"),
      ("no/such/token.jwt", "no/such/token.jwt"),
      ("/dev/nofile", "/dev/nofile"),
      // These may be credentials.
      ("ya29.a0/b+c==", "cannot read the file it names"),
      ("/ab+c==", "cannot read the file it names"),
      ("eyJhbGciOiJSUzI1NiJ9.e30.c2/n", "cannot read the file it names"),
    ])
  func missingFileIsNamedUnlessItLooksLikeACredential(value: String, words: String) {
    let error = #expect(throws: ErrorReport.self) { try TokenSource.variable(value).provider() }
    #expect(error?.message == "TRIPWIRE_TOKEN: \(words): No such file or directory")
    #expect(error?.hint == "check TRIPWIRE_TOKEN, or use --token-file")
    #expect(error?.exitCode == .localFailure)
  }

  @Test(arguments: ["two words", "a\tb", "b\u{fc}cher"])
  func invalidTokensAreRejected(value: String) {
    let error = #expect(throws: ErrorReport.self) { try TokenSource.variable(value).provider() }
    #expect(
      error?.message.hasPrefix(
        "TRIPWIRE_TOKEN: the token has an invalid character at byte offset ") == true)
    #expect(error?.hint == "check TRIPWIRE_TOKEN, or use --token-file")
  }

  @Test func optionNamesAFile() {
    let error = #expect(throws: ErrorReport.self) { try TokenSource.file("/dev/zero").provider() }
    #expect(error?.message == "--token-file: /dev/zero: larger than 64 KiB")
  }

  @Test func userCredentialsHintAtTheAccessToken() throws {
    let path = try keyFile(#"{"type": "authorized_user", "client_id": "x"}"#)
    defer { removeKeyFile(path) }
    let error = #expect(throws: ErrorReport.self) { try TokenSource.credentials(path).provider() }
    #expect(
      error?.message == "--credentials: \(path): credentials of type authorized_user"
        + " cannot sign tokens")
    #expect(
      error?.hint == "pass it with --access-token \(path); add --sign-as ACCOUNT to have tokens"
        + " signed")
  }

  @Test func commandForAllSharesItsToken() throws {
    let other = AuthorizationContext(resourceName: "providers/p/trips/u")
    for isForAll in [false, true] {
      let provider = try TokenSource.command("true", isForAll: isForAll).provider()
      #expect(
        (provider.sharedContext(for: context) == provider.sharedContext(for: other)) == isForAll)
    }
  }

  @Test(arguments: [("-", true), ("./-", false)])
  func dashIsStandardInput(path: String, isStandardInput: Bool) {
    for source in [
      TokenSource.file(path), .variable(path), .credentials(path), .accessToken(.file(path)),
      .signer(["a"], .file(path)),
    ] {
      #expect(source.isStandardInput == isStandardInput)
    }
  }
}

extension TokenSource {
  fileprivate func provider() throws -> any AuthTokenProvider {
    let network = TokenNetwork(
      ConnectionOptions(), TLSOptions(), TestConsole().console, OutputOptions())
    return try #require(try provider(on: network, quotaProjectID: nil) { _ in })
  }
}
