import Testing

@testable import CommandShell

@Suite struct ColumnsTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("Zürich", 6), ("Zu\u{308}rich", 6), ("車両", 4), ("한국", 4),
    ("\u{1112}\u{1161}\u{11ab}", 2), ("ｱｲ", 2), ("Ａ", 2), ("🚕", 2), ("⌚", 2), ("…", 1),
    ("Z" + String(repeating: "\u{301}", count: 5000), 1),
  ])
  func countsTerminalColumns(text: String, count: Int) {
    #expect(columns(of: text) == count)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("車両車両", 8, "車両車両"),
    ("車両車両", 7, "車両車…"), ("車両車両", 6, "車両…"), ("abc", 1, "…"), ("abc", 0, ""),
  ])
  func longTextEndsWithAnEllipsis(text: String, limit: Int, expected: String) {
    #expect(cut(text, to: limit) == expected)
  }

  @Test(arguments: [
    ("5f1b7c1e-7a0e-4d8e-9a51-0d2f7a1c9e11", 11, "5f1b7…c9e11"), ("abcdef", 6, "abcdef"),
    ("abcdef", 4, "ab…f"), ("車両車両", 6, "車…両"), ("abc", 2, "a…"),
  ])
  func longNameIsShortenedInTheMiddle(text: String, limit: Int, expected: String) {
    #expect(cutInside(text, to: limit) == expected)
  }

  @Test func combiningMarksAreLimited() {
    let text = cut("Z" + String(repeating: "\u{301}", count: 5000) + "a", to: 10)
    #expect(text.unicodeScalars.count == 6)
  }

  @Test func padsToAWidth() {
    #expect(padded("車", to: 4) == "車  ")
    #expect(padded("abc", to: 2) == "abc")
  }
}
