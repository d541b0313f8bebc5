import Testing

@testable import CommandShell

/// Serialized, because a process has one terminal.
@Suite(.serialized) struct LiveScreenTests {
  private let screen = LiveScreen()

  private func readable(_ text: String) -> String { text.replacing("\u{1b}[", with: "^") }

  @Test func linesAreDrawnOnTheAlternateScreen() {
    let texts = [
      screen.draw(["a", "b"], columns: 80, rows: 4), screen.draw(["c"], columns: 80, rows: 3),
      screen.end(["d"], columns: 80, rows: 2), screen.end(["e"], columns: 80, rows: 2),
    ]
    #expect(
      texts.map(readable) == [
        "^?1049h^Ha^K\r\nb^K\r\n^K\r\n^K^3;1H", "^Hc^K\r\n^K\r\n^K^2;1H", "^H^K\r\n^K^?1049ld\n",
        "e\n",
      ])
  }

  @Test(arguments: [
    ("abcdef", 4, "ab…"), ("車両車両", 6, "車両…"), ("a", 0, "a"), ("abc", 1, "…"), ("abc", 4, "abc"),
  ])
  func truncatesLongLines(line: String, columns: Int, shown: String) {
    #expect(screen.end([line], columns: columns, rows: 24) == shown + "\n")
  }
}
