import Testing
import Tripwire

@testable import TripwireCLI

@Suite struct TokenSourceTests {
  private let context = AuthorizationContext(resourceName: "providers/p/trips/t")

  @Test(arguments: ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "ya29.a0-_~+x=="])
  func takesTheTokenThatTheVariableHolds(value: String) async throws {
    #expect(try await TokenSource.variable(value).provider().token(for: context).value == value)
  }

  @Test func takesTheFileThatTheVariableNames() {
    let error = #expect(throws: ErrorReport.self) {
      try TokenSource.variable("/dev/null").provider()
    }
    #expect(error?.message == "the token is empty")
    #expect(error?.hint == "check TRIPWIRE_TOKEN, or use --token-file")
    #expect(error?.exitCode == .localFailure)
  }

  @Test func readsTheFileOfTheOption() {
    let error = #expect(throws: ErrorReport.self) { try TokenSource.file("/dev/zero").provider() }
    #expect(error?.message == "the token is longer than 64 KiB")
  }

  @Test func runsACommandOnceForAllIfItIsTold() throws {
    let other = AuthorizationContext(resourceName: "providers/p/trips/u")
    for isForAll in [false, true] {
      let provider = try TokenSource.command("true", isForAll: isForAll).provider()
      #expect(
        (provider.sharedContext(for: context) == provider.sharedContext(for: other)) == isForAll)
    }
  }

  @Test(arguments: [("-", true), ("./-", false)])
  func knowsWhatReadsStandardInput(path: String, isStandardInput: Bool) {
    for source in [TokenSource.file(path), .variable(path), .credentials(path)] {
      #expect(source.isStandardInput == isStandardInput)
    }
  }
}
