import Testing

@testable import CommandShell

@Suite struct TextTableTests {
  @Test func alignsFieldsAndMarksUnsetOnes() {
    var table = TextTable()
    table.add("status", "new")
    table.add("vehicle", nil)
    table.add("a long name", "")
    table.add("stops", ["one", "two\u{1b}"])
    table.add("none", [])
    #expect(
      table.description == """
        status       new
        vehicle      —
        a long name  —
        stops        one
                     two\\u{1b}
        none         —

        """)
  }

  @Test func alignsColumns() {
    #expect(aligned([["1", "pickup", ""], ["10", "x"]]) == ["1   pickup", "10  x"])
    #expect(aligned([]) == [])
  }
}
