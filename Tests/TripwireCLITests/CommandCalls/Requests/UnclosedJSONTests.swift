import Testing
import WireProtobuf

@testable import CommandCalls

@Suite struct UnclosedJSONTests {
  private static func unclosed(_ text: String, after start: String = "") -> UnclosedJSON? {
    UnclosedJSON(
      JSONValues.Value(text: Array(text.utf8), position: TextPosition(after: start.utf8)))
  }

  @Test(
    arguments: [
      ("{", "the { at 1:1 is not closed", "}"),
      (#"{"a": {"b":"#, "the { at 1:7 is not closed", "}}"),
      ("{\"a\":\n [{\"b\": 1}, 2", "the [ at 2:2 is not closed", "]}"),
      (#"{"a": "b\"c]"#, "the string at 1:7 is not closed", "\"}"),
      (#"{"a": "}", "b": [{"c": "é{"#, "the string at 1:24 is not closed", "\"}]}"),
    ])
  func reportsTheInnermostOpenerAndTheClosingText(text: String, words: String, closing: String) {
    let unclosed = Self.unclosed(text)
    #expect(unclosed?.description == words)
    #expect(unclosed?.closing == closing)
  }

  /// The value may start anywhere in its file.
  @Test func positionsAreRelativeToTheValue() {
    let start = String(repeating: "\n", count: 6) + String(repeating: " ", count: 19)
    let unclosed = Self.unclosed("{\"a\": [\n  {", after: start)
    #expect(unclosed?.description == "the { at 8:3 is not closed")
    let second = Self.unclosed("[ {", after: start)
    #expect(second?.description == "the { at 7:22 is not closed")
  }

  @Test(arguments: ["", "{}", "tru", #"{"a": "\"]"}"#])
  func closedValuesAreNil(text: String) {
    #expect(Self.unclosed(text) == nil)
  }

  /// The closing text is for people, so its length is limited.
  @Test func deepNestingHasNoClosingText() {
    #expect(Self.unclosed(String(repeating: "[", count: 16))?.closing?.count == 16)
    #expect(Self.unclosed(String(repeating: "[", count: 17))?.closing == nil)
  }
}
