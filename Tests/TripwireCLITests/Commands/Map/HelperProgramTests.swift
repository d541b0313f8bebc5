import Testing

@testable import TripwireCLI

@Suite struct HelperProgramTests {
  @Test func missingHelperNamesThePackage() async {
    let test = TestConsole(["PATH": "/nonexistent"])
    #expect(await test.run("map", "providers/p/trips/t1") == .localFailure)
    #expect(
      test.error.hasPrefix(
        "error: 'tripwire map' needs the program tripwire-map, which is not installed\n"
          + "hint: install the package tripwire"))
  }

  @Test(arguments: ["mapp", "../map", "map/../map", "", "-map"])
  func otherWordsAreUnknownCommands(word: String) async {
    let test = TestConsole(["PATH": "/nonexistent:"])
    #expect(await test.run(word) == .usage)
    #expect(test.error.hasPrefix("error: unknown "))
  }

  @Test func helpListsTheCommandOfAHelper() async {
    let test = TestConsole()
    _ = await test.run("--help")
    #expect(test.output.contains("  map "))
  }
}
