import Testing

@testable import TripwireGoogleAuth

@Suite struct ShellWordsTests {
  /// The results of Python's shlex.split.
  @Test(
    arguments: [
      ("", []), ("  ", []), ("a b  c", ["a", "b", "c"]), ("a 'b c' d", ["a", "b c", "d"]),
      (#"a "b 'c' \"d\" \\ \e" f"#, ["a", #"b 'c' "d" \ \e"#, "f"]), ("a''b", ["ab"]),
      ("'' x", ["", "x"]), (#"a\ b"#, ["a b"]), (#"'a\b'"#, [#"a\b"#]),
    ] as [(String, [String])])
  func wordsAreThoseOfShlex(line: String, words: [String]) {
    #expect(ShellWords.split(line) == words)
  }

  @Test(arguments: ["'", "a \"b", "a\\"])
  func quotesNeedAnEnd(line: String) {
    #expect(ShellWords.split(line) == nil)
  }
}
