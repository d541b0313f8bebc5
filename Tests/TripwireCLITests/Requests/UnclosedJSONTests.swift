import Testing

@testable import CommandCalls

@Suite struct UnclosedJSONTests {
  @Test(
    arguments: [
      ("{", "the { at 1:1 is not closed", "}"),
      (#"{"a": {"b":"#, "the { at 1:7 is not closed", "}}"),
      ("{\"a\":\n [{\"b\": 1}, 2", "the [ at 2:2 is not closed", "]}"),
      (#"{"a": "b\"c]"#, "the string at 1:7 is not closed", "\"}"),
      (#"{"a": "}", "b": [{"c": "é{"#, "the string at 1:24 is not closed", "\"}]}"),
    ])
  func reportsTheInnermostOpenerAndTheClosingText(text: String, words: String, closing: String) {
    let unclosed = UnclosedJSON(Array(text.utf8), line: 1, column: 1)
    #expect(unclosed?.description == words)
    #expect(unclosed?.closing == closing)
  }

  /// The value may start anywhere in its file.
  @Test func positionsAreRelativeToTheValue() {
    let unclosed = UnclosedJSON(Array("{\"a\": [\n  {".utf8), line: 7, column: 20)
    #expect(unclosed?.description == "the { at 8:3 is not closed")
    let second = UnclosedJSON(Array("[ {".utf8), line: 7, column: 20)
    #expect(second?.description == "the { at 7:22 is not closed")
  }

  @Test(arguments: ["", "{}", "tru", #"{"a": "\"]"}"#])
  func closedValuesAreNil(text: String) {
    #expect(UnclosedJSON(Array(text.utf8), line: 1, column: 1) == nil)
  }

  /// The closing text is for people, so its length is limited.
  @Test func deepNestingHasNoClosingText() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1000)
    #expect(UnclosedJSON(deep, line: 1, column: 1)?.closing == nil)
  }
}
