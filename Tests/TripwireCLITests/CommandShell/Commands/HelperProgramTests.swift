import Testing

@testable import CommandShell

/// A helper replaces the process, so interop/tests/command/test_helper_program.py tests that.
@Suite struct HelperProgramTests {
  @Test(arguments: ["relayy", "../relay", "relay/../relay", "", "-relay"])
  func otherWordsAreUnknownCommands(word: String) async {
    let test = TestConsole(["PATH": "/nonexistent:"])
    #expect(await test.run(word) == .usage)
    #expect(test.error.hasPrefix("error: unknown "))
  }

  @Test func helpListsTheCommandOfAHelper() async {
    let test = TestConsole()
    _ = await test.run("--help")
    #expect(test.output.contains("  relay "))
  }
}
