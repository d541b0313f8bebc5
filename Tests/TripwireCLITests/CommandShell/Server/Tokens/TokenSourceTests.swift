import CommandLine
import TestSupport
import Testing
import WireSystem

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

  /// Where the setting comes from, and where the hint has to send the user.
  @Test(
    arguments: [
      ([:], "pass it with --access-token PATH"),
      (["token-file": .option], "pass it with --access-token PATH"),
      (
        ["token-file": .profile("p")],
        "run 'tripwire config unset token-file --profile p', and pass it with --access-token PATH"
      ),
    ] as [([String: ValueSource], String)])
  func credentialsInPlaceOfATokenAreNamed(sources: [String: ValueSource], hint: String) throws {
    let path = try keyFile(#"{"type": "authorized_user", "client_id": "x"}"#)
    defer { removeKeyFile(path) }
    let error = #expect(throws: ErrorReport.self) { try TokenSource.file(path).provider(sources) }
    #expect(
      error?.message
        == "--token-file: \(path): the token is Google Cloud credentials of type authorized_user")
    #expect(error?.hint == hint.replacing("PATH", with: path))
    #expect(error?.exitCode == .localFailure)
    let variable = #expect(throws: ErrorReport.self) { try TokenSource.variable(path).provider() }
    #expect(variable?.message.hasPrefix("TRIPWIRE_TOKEN: \(path): the token is Google") == true)
    #expect(variable?.hint == "unset TRIPWIRE_TOKEN, and pass it with --access-token \(path)")
  }

  @Test(arguments: [
    ("service_account", "unset TRIPWIRE_TOKEN, and set TRIPWIRE_CREDENTIALS_JSON to this key"),
    (
      "authorized_user",
      "unset TRIPWIRE_TOKEN, write it to a file that only you can read, and pass that with --access-token"
    ),
  ])
  func credentialsInTheVariableAreNamed(type: String, hint: String) {
    let error = #expect(throws: ErrorReport.self) {
      try TokenSource.variable(#"{"type": "\#(type)", "refresh_token": "hush"}"#).provider()
    }
    #expect(
      error?.message == "TRIPWIRE_TOKEN: the token is Google Cloud credentials of type \(type)")
    #expect(error?.hint == hint)
  }

  @Test func keyInPlaceOfATokenIsNamed() throws {
    let path = try keyFile()
    defer { removeKeyFile(path) }
    let error = #expect(throws: ErrorReport.self) { try TokenSource.file(path).provider() }
    #expect(
      error?.hint
        == "pass it with --credentials \(path), or with --access-token \(path) for a back end")
  }

  /// A setting of a profile is to be changed there, and that of a variable in the variable.
  @Test(
    arguments: [
      (
        .file("/no"), ["token-file": .profile("p")], "check the path in the token-file of profile p"
      ),
      (
        .credentials("/no"), ["credentials": .profile("p")],
        "check the path in the credentials of profile p"
      ),
      (.credentials("/no"), [:], "check the path in --credentials"),
      (
        .accessToken(.file("/no")), ["access-token": .profile("p")],
        "check the path in the access-token of profile p"
      ),
      (
        .signer(["a"], .file("/no")),
        ["access-token": .profile("p"), "sign-as": .variable("TRIPWIRE_SIGN_AS")],
        "check the path in the access-token of profile p"
      ),
      (
        .file("/"), ["token-file": .profile("p")],
        "pass a file, not a directory, with the token-file of profile p"
      ),
    ] as [(TokenSource, [String: ValueSource], String)])
  func hintsNameTheSourceOfASetting(
    source: TokenSource, sources: [String: ValueSource], hint: String
  ) {
    let error = #expect(throws: ErrorReport.self) { try source.provider(sources) }
    #expect(error?.hint == hint)
    let isVariable = sources["sign-as"] != nil
    let path = isVariable ? "/no" : error?.message.split(separator: " ").dropFirst().first ?? ""
    #expect(
      error?.message.hasPrefix("\(isVariable ? "TRIPWIRE_SIGN_AS" : source.option): \(path)")
        == true)
  }

  @Test func hintNamesTheVariableOfTheCredentials() throws {
    let variable = ["GOOGLE_APPLICATION_CREDENTIALS": "/no.json"]
    for source in [
      TokenSource.accessToken(.applicationDefault), .signer(["a"], .machine(isVariable: true)),
    ] {
      let error = #expect(throws: ErrorReport.self) { try source.provider([:], variable) }
      #expect(error?.hint == "check the path in GOOGLE_APPLICATION_CREDENTIALS")
      #expect(error?.message == "\(source.option): /no.json: No such file or directory")
    }
  }

  @Test func filesWithSecretsThatOthersCanReadAreReported() throws {
    for (json, isSecret) in [
      (RSATestKey.json(), true),
      (
        #"{"type": "authorized_user", "client_id": "i", "client_secret": "s", "refresh_token": "r"}"#,
        true
      ),
      (
        #"{"type": "external_account", "audience": "a", "subject_token_type": "t", "credential_source": {"file": "f"}}"#,
        false
      ),
    ] {
      let path = try keyFile(json)
      defer { removeKeyFile(path) }
      let isKey = json.contains("private_key")
      let sources = [TokenSource.accessToken(.file(path))] + (isKey ? [.credentials(path)] : [])
      for source in sources {
        var warnings: [String] = []
        _ = try source.provider { warnings.append($0) }
        #expect(warnings.isEmpty)
        chmod(path, 0o644)
        _ = try source.provider { warnings.append($0) }
        #expect(
          warnings
            == (isSecret ? ["\(path): other users can read these credentials: run chmod 600"] : []))
        chmod(path, 0o600)
      }
    }
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
  fileprivate func provider(
    _ sources: [String: ValueSource] = [:], _ variables: [String: String] = [:],
    warn: (String) -> Void = { _ in }
  ) throws -> any AuthTokenProvider {
    let network = TokenNetwork(
      ConnectionOptions(), TLSOptions(), TestConsole(variables).console, OutputOptions())
    return try #require(try provider(on: network, quotaProjectID: nil, sources, warn))
  }
}
