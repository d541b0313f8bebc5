import Testing

@testable import CommandLine

@Suite struct EscapedTests {
  @Test(arguments: [
    ("Zürich – 東京 \u{1F695}", "Zürich – 東京 \u{1F695}"),
    ("a\nb\rc\td", "a\\nb\\rc\\td"),
    ("\u{1b}[31mred", "\\u{1b}[31mred"),
    ("\u{0}\u{7f}\u{9b}2J", "\\u{0}\\u{7f}\\u{9b}2J"),
    ("\r\n", "\\r\\n"),
    ("evil\u{202e}txt", "evil\\u{202e}txt"),
    ("\u{2028}", "\\u{2028}"),
    ("t\u{200b}1\u{61c}\u{2060}", "t\\u{200b}1\\u{61c}\\u{2060}"),
    ("a\u{e0062}\u{3164}", "a\\u{e0062}\\u{3164}"),
    ("e\u{301} ❤\u{fe0f}", "e\u{301} ❤\u{fe0f}"),
  ])
  func controlCharactersAreEscaped(text: String, safe: String) {
    #expect(escaped(text) == safe)
  }

  @Test(arguments: [
    ("", "''"), ("a\n", "a\\n"),
    (String(repeating: "x", count: 200), String(repeating: "x", count: 200)),
    (String(repeating: "é", count: 201), String(repeating: "é", count: 200) + "…"),
  ])
  func startOfALongArgumentIsShown(text: String, expected: String) {
    #expect(shown(text) == expected)
  }

  @Test func escapedJSONHasTheSameValue() {
    #expect(
      escapedJSON("{\n  \"a\": \"é\u{7f}\u{9b}2J\u{202e}\\n\u{e0062}\"\n}")
        == "{\n  \"a\": \"é\\u007f\\u009b2J\\u202e\\n\\udb40\\udc62\"\n}")
  }
}
