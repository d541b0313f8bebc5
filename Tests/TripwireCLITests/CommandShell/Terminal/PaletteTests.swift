import Testing

@testable import CommandShell

@Suite struct PaletteTests {
  private func isColored(
    _ choice: Palette.Choice, isTerminal: Bool, _ variables: [String: String] = ["TERM": "xterm"]
  ) -> Bool {
    Palette(choice, isTerminal: isTerminal) { variables[$0] }.isColored
  }

  @Test func autoColorsTerminals() {
    #expect(isColored(.auto, isTerminal: true))
    #expect(!isColored(.auto, isTerminal: false))
    #expect(!isColored(.auto, isTerminal: true, ["TERM": "dumb"]))
    #expect(!isColored(.auto, isTerminal: true, [:]))
    #expect(!isColored(.auto, isTerminal: true, ["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(isColored(.auto, isTerminal: true, ["TERM": "xterm", "NO_COLOR": ""]))
  }

  @Test func theOptionHasPriorityOverTheEnvironment() {
    #expect(isColored(.always, isTerminal: false, ["NO_COLOR": "1"]))
    #expect(!isColored(.never, isTerminal: true))
  }

  @Test func onlyTheFirstWordOfALineIsColored() {
    let palette = Palette(.always, isTerminal: false) { _ in nil }
    var report = ErrorReport(local: "a error:", hint: "c")
    report.excerpt = ["hint: b"]
    #expect(
      report.text(palette)
        == "\u{1b}[31merror:\u{1b}[0m a error:\n  hint: b\n\u{1b}[36mhint:\u{1b}[0m c\n")
  }

  @Test func coloredTextIsTruncatedBeforeItsReset() {
    let palette = Palette(.always, isTerminal: false) { _ in nil }
    #expect(
      Palette.changing(palette.painted("abcdef", .error)) { cut($0, to: 3) }
        == palette.painted("ab…", .error))
    #expect(Palette.changing("abcdef") { cut($0, to: 3) } == "ab…")
  }
}
