import Testing

@testable import CommandLine
@testable import CommandShell
@testable import TripwireCLI

/// `interop/tests/package/test_manual.py` checks the pages with mandoc.
@Suite struct ManualPageTests {
  private func answer(_ arguments: String...) -> String {
    ManualPages.answer(arguments, of: allCommands, tripwireHelp)
  }

  @Test func everyCommandHasAPage() {
    let names = answer().split(separator: "\n").map(String.init)
    #expect(names.first == "tripwire")
    for command in allCommands.flatMap({ [$0] + $0.subcommands }) {
      #expect(names.contains(ManualPage.name(of: command.name)))
    }
  }

  @Test func escapesWhatRoffInterprets() {
    let page = ManualPage(
      name: "test", summary: "test",
      help: HelpText(
        usage: "tripwire test", about: ".a 'b' c\\d e-f é \"g\". 'h i.", sections: []),
      date: "May 1, 2026", related: ["tripwire"]
    ).text
    #expect(
      page == """
        .Dd May 1, 2026
        .Dt TEST 1
        .Os
        .Sh NAME
        .Nm test
        .Nd test
        .Sh SYNOPSIS
        .Nm tripwire
        test
        .Sh DESCRIPTION
        \\&.a 'b' c\\ed e\\-f \\[u00E9] "g".
        \\(aqh i.
        .Sh SEE ALSO
        .Xr tripwire 1

        """)
  }

  /// A capital letter would make a value invalid: the program rejects "True".
  @Test func variableDoesNotBeginWithAValue() {
    let text = answer("tripwire-get", "May 1, 2026")
    #expect(
      text.contains(
        """
        .It Ev TRIPWIRE_PLAINTEXT
        If true, disables TLS for the server in TRIPWIRE_ENDPOINT; if false, enables
        TLS for that server and for the server of the profile.
        Not used with \\-\\-endpoint.
        """))
    #expect(!text.contains("\nTrue ") && !text.contains("\nFalse "))
  }

  @Test func unknownPageIsEmpty() {
    #expect(answer("nothing", "May 1, 2026") == "")
  }
}
