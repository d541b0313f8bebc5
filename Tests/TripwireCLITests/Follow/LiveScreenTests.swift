import Testing

@testable import TripwireCLI

@Suite struct LiveScreenTests {
  private var screen = LiveScreen()

  @Test mutating func linesAreWrittenOverTheLastOnes() {
    #expect(screen.replace(with: ["a", "b"], columns: 80) == "a\nb\n")
    #expect(screen.replace(with: ["c"], columns: 80) == "\u{1b}[2A\u{1b}[Jc\n")
    #expect(screen.replace(with: ["d"], columns: 80) == "\u{1b}[1A\u{1b}[Jd\n")
  }

  @Test mutating func aLineThatIsTooLongIsCut() {
    #expect(screen.replace(with: ["abcdef"], columns: 4) == "ab…\n")
    #expect(screen.replace(with: ["車両車両"], columns: 6) == "\u{1b}[1A\u{1b}[J車両…\n")
    #expect(screen.replace(with: ["a"], columns: 0) == "\u{1b}[1A\u{1b}[Ja\n")
  }
}
