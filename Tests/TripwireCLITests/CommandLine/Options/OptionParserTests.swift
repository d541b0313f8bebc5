import Testing

@testable import CommandLine
@testable import CommandShell
@testable import TripwireCLI

@Suite struct OptionParserTests {
  private struct Values: Equatable {
    var words: [String] = []
    var count = 0
    var isLoud = false
  }

  private static let options: [Option<Values>] = [
    .value(
      "word", short: "w", "WORD", environment: "TEST_WORD", .common, "a word",
      parse: Parse.text, store: { $0.words.append($1) }),
    .value(
      "count", "N", .common, "a number",
      parse: { (text) throws(InvalidValue) in
        guard let number = Int(text) else { throw InvalidValue("expected a number") }
        return number
      }, store: { $0.count = $1 }),
    .flag("loud", short: "l", .request, "shout", store: { $0.isLoud = true }),
    .flag("quiet", short: "q", .request, "do not", store: { $0.isLoud = false }),
  ]

  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) -> (Values, ParsedCommandLine) {
    var values = Values()
    let line = parse(arguments, Self.options, into: &values) { environment[$0] }
    return (values, line)
  }

  @Test(arguments: [
    ["--word", "a", "x"], ["--word=a", "x"], ["-w", "a", "x"], ["-wa", "x"], ["x", "--word", "a"],
  ])
  func parsesEveryFormOfAnOption(arguments: [String]) {
    let (values, line) = run(arguments)
    #expect(values == Values(words: ["a"]))
    #expect(line.operands == ["x"])
    #expect(line.error == nil)
  }

  @Test(arguments: ["--word=\u{301}a", "-w\u{301}a", "-w=\u{301}a"])
  func valueMayBeginWithACombiningMark(argument: String) {
    let (values, line) = run([argument, "x"])
    #expect(values.words.map { Array($0.utf8) } == [Array("\u{301}a".utf8)])
    #expect(line.operands == ["x"])
    #expect(line.error == nil)
  }

  @Test func keepsTheOrderOfOptions() {
    let (values, line) = run(["-lq", "-wa", "--count=3", "--word=b", "--loud"])
    #expect(values == Values(words: ["a", "b"], count: 3, isLoud: true))
    #expect(line.error == nil)
  }

  @Test(arguments: [
    (["-word", "a"], ["a"], 0), (["-word=a"], ["a"], 0), (["-word=\u{301}a"], ["\u{301}a"], 0),
    (["-count", "3"], [], 3),
  ])
  func longOptionMayHaveOneDash(arguments: [String], words: [String], count: Int) {
    let (values, line) = run(arguments + ["x", "--", "-word"])
    #expect(values == Values(words: words, count: count))
    #expect(line.operands == ["x", "-word"])
    #expect(line.error == nil)
  }

  @Test(arguments: [
    (["-help"], HelpForm.full), (["-lwhelp", "-h"], .brief), (["-lh"], .brief),
  ])
  func onlyWholeLongNamesMayHaveOneDash(arguments: [String], help: HelpForm) {
    #expect(run(arguments).1.help == help)
  }

  /// Otherwise a long name with one dash would change the meaning of short options.
  @Test func noLongNameIsAGroupOfShortOptions() {
    let commands = allCommands.flatMap { [$0] + $0.subcommands }
    for options in commands.map({ $0.help().options }) {
      for long in options.map(\.long) {
        var letters = long[...]
        var isGroup = true
        while isGroup, let letter = letters.popFirst() {
          let option = options.first { $0.short == letter }
          isGroup = option != nil
          guard let option, option.argument != nil else { continue }
          // The value of -d is JSON, or @FILE.
          isGroup = letter != "d" && (try? option.check(String(letters))) != nil
          letters = ""
        }
        #expect(!isGroup, "\(long)")
      }
    }
  }

  /// A misspelled name in a rule would have no effect, or could not be fulfilled.
  @Test func rulesNameOptions() {
    let commands = allCommands.flatMap { [$0] + $0.subcommands }.map { $0.help().options }
    let all = Set(commands.joined().map(\.long))
    for options in commands {
      for option in options {
        #expect(option.rule.exclusions.allSatisfy { all.contains($0.other) }, "\(option.long)")
        for others in option.rule.requirements {
          #expect(
            others.contains { other in options.contains { $0.long == other } }, "\(option.long)")
        }
      }
    }
  }

  @Test func twoDashesEndTheOptions() {
    let (values, line) = run(["a", "--", "--word", "-l"])
    #expect(values == Values())
    #expect(line.operands == ["a", "--word", "-l"])
    #expect(line.error == nil)
  }

  @Test func dashAndEmptyArgumentsAreOperands() {
    let (values, line) = run(["-", "--count", "7", ""])
    #expect(values.count == 7)
    #expect(line.operands == ["-", ""])
  }

  @Test(
    arguments: [
      (["--wrod", "a"], "unknown option --wrod", "did you mean --word?"),
      (
        ["-----BEGIN PRIVATE KEY-----\nMIIE"], "a word with spaces begins with a dash",
        "write -- before operands"
      ),
      (["--wor", "a"], "unknown option --wor", "did you mean --word?"),  // no abbreviations
      (["--wor=secret"], "unknown option --wor", "did you mean --word?"),
      (["--wor=\u{301}secret"], "unknown option --wor", "did you mean --word?"),
      (["--xyzzy"], "unknown option --xyzzy", nil),
      (["-x"], "unknown option -x", nil),
      (["-lx"], "unknown option -x", nil),
      (["-é"], "unknown option -é", nil),
      (["-\u{1b}"], "unknown option -\\u{1b}", nil),
      (["--word"], "--word: the argument WORD is missing", nil),
      (["-w"], "-w: the argument WORD is missing", nil),
      (
        ["--loud=3"], "--loud: the option takes no value",
        "write --loud without a value, or leave it out"
      ),
      (
        ["--help=3"], "--help: the option takes no value",
        "write --help without a value, or leave it out"
      ),
      (["--count", "x"], "--count x: expected a number", nil),
      (["--count="], "--count '': expected a number", nil),
      (["--word", "--loud"], "--word: expected WORD, found the option --loud", nil),
      (["-word", "-loud"], "--word: expected WORD, found the option --loud", nil),
      (["--count", "a\u{7}"], "--count a\\u{7}: expected a number", nil),
    ] as [([String], String, String?)])
  func reportsErrors(arguments: [String], message: String, hint: String?) {
    let (_, line) = run(arguments)
    #expect(line.error == UsageError(message: message, hint: hint))
  }

  @Test func reportsTheFirstErrorAndParsesTheRest() {
    let (values, line) = run(["--nope", "--count", "x", "-l"])
    #expect(line.error?.message == "unknown option --nope")
    #expect(values.isLoud)
  }

  @Test(arguments: [["-h"], ["--help"], ["x", "--nope", "-h"], ["-lh"]])
  func findsTheHelpOption(arguments: [String]) {
    #expect(run(arguments).1.help != nil)
  }

  @Test func helpMayBeTheValueOfAnOption() {
    let (values, line) = run(["-w", "-h"])
    #expect(line.help == nil)
    #expect(values.words == ["-h"])
  }

  @Test func environmentVariablesAreTheDefault() {
    #expect(run([], environment: ["TEST_WORD": "e"]).0.words == ["e"])
    #expect(run(["-w", "o"], environment: ["TEST_WORD": "e"]).0.words == ["o"])
    #expect(run([], environment: ["TEST_WORD": ""]).1.error == nil)
  }

  @Test func errorsOfAVariableNameTheVariable() {
    var values = Values()
    let options: [Option<Values>] = [
      .value(
        "word", "WORD", environment: "TEST_WORD", .common, "a word",
        parse: { (_) throws(InvalidValue) in
          throw InvalidValue("expected better", mayBeShown: false)
        },
        store: { (_, _: Int) in })
    ]
    let line = parse([], options, into: &values) { ["TEST_WORD": "hush"][$0] }
    #expect(line.error?.message == "TEST_WORD=…: expected better")
  }

  @Test(arguments: [
    // Both settings are in the profile, so that one of them has to leave it.
    (
      UsageError.conflict("--word", "--count"),
      "remove one of them: tripwire config unset word --profile dev"
    ),
    (.conflict("--word", "--loud"), "remove --word, or remove --loud"),
    (.conflict("--word", "x", hint: "remove --word"), "remove --word"),
    (UsageError(message: "", options: ["word"], hint: "remove --word"), "remove --word"),
  ])
  func conflictOfProfileSettingsNamesTheProfile(error: UsageError, hint: String) {
    let line = ParsedCommandLine(
      operands: [], help: nil,
      sources: ["word": .profile("dev"), "count": .profile("dev"), "loud": .option])
    #expect(line.withSources(ErrorReport(error)).hint == hint)
  }
}
