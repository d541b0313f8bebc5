import Testing

@testable import CallCommands
@testable import CommandCalls
@testable import CommandLine
@testable import CommandShell
@testable import FleetCommands
@testable import RecordingCommands
@testable import TokenCommands
@testable import TripwireCLI

@Suite struct HelpTextTests {
  private struct Values {}

  @Test func optionsAreGroupedWrappedAndAligned() {
    let options: [Option<Values>] = [
      .value(
        "output", short: "o", "FORMAT", environment: "TEST_OUTPUT", .common,
        "json for programs and text for readers, which is the sort of thing that needs two lines",
        parse: Parse.text, store: { _, _ in }),
      .flag("plaintext", .connection, "no TLS", store: { _ in }),
      .value(
        "a-long-option-with", "A-LONG-ARGUMENT", .connection, "stands alone",
        parse: Parse.text, store: { _, _ in }),
    ]
    let help = HelpText(
      usage: "test NAME [options]",
      about:
        "Does what a test does, at such length that this sentence has to go on in a second line.",
      options: options)
    #expect(
      help.full == """
        usage: test NAME [options]

        Does what a test does, at such length that this sentence has to go on in a
        second line.

        Options:
          -o, --output FORMAT  json for programs and text for readers, which is the sort
                               of thing that needs two lines
          -h, --help           print this help; -h prints a short form

        Connection:
          --plaintext                   no TLS
          --a-long-option-with A-LONG-ARGUMENT
                                        stands alone

        Environment:
          TEST_OUTPUT  used if --output is not given

        """)
  }

  @Test func briefHelpOmitsOptionsAndCountsThem() {
    let options: [Option<Values>] = [
      .flag("often", .common, "shown", store: { _ in }),
      .flag("rarely", .common, "omitted", store: { _ in }).inFullHelpOnly(),
    ]
    let brief = HelpText(usage: "test", about: "Tests.", options: options).brief(of: "test")
    #expect(
      brief == """
        usage: test

        Tests.

        Options:
          --often  shown

        'test --help' prints 2 more options, and details.

        """)
  }

  @Test(arguments: [
    ([], ""), (["trips"], "trips"), (["trips", "tasks"], "trips or tasks"),
    (["trips", "vehicles", "tasks"], "trips, vehicles or tasks"),
  ])
  func lastWordsAreJoinedWithAConjunction(words: [String], text: String) {
    #expect(words.joined(conjunction: "or") == text)
  }

  /// The first line of an option's help fits beside its name; details follow on further lines.
  @Test func everyOptionBeginsWithAShortLine() {
    func check<Values>(_ options: [Option<Values>]) {
      for option in options {
        let first = option.description.firstLine
        #expect(first.count <= 60, "--\(option.long): \(first)")
        #expect(first.first?.isLowercase == true && first.last != ".", "--\(option.long): \(first)")
      }
    }
    check(GetOptions.all)
    check(SearchOptions.all)
    check(DoctorOptions.all)
    check(FollowOptions.all)
    check(CallCommandOptions.all)
    check(SchemaCommandOptions.all)
    check(ReplayOptions.all)
    check(LogOptions.all)
    check(MintOptions.all)
    check(ChangeOptions.all)
    check(InspectOptions.all)
  }

  /// It names the examples and the options in the brief help, and says how to get the rest.
  @Test(arguments: allCommands.flatMap { [$0] + $0.subcommands }.map(\.name))
  func briefHelpFitsOnAScreen(name: String) throws {
    let command = try #require(
      allCommands.flatMap { [$0] + $0.subcommands }.first { $0.name == name })
    let brief = command.help().brief(of: "tripwire \(name)")
    let lines = brief.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 40)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(brief.contains("\nExamples:\n"))
    #expect(brief.contains("'tripwire \(name) --help' prints "))
  }

  @Test func wrappingKeepsLineBreaksAndLongWords() {
    #expect(wrapped("a b\nc", width: 3) == ["a b", "c"])
    #expect(wrapped("a bcdefgh i", width: 3) == ["a", "bcdefgh", "i"])
    #expect(wrapped("", width: 3) == [""])
  }
}
