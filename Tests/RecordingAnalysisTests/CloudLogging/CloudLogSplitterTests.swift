import Testing

@testable import RecordingAnalysis

@Suite struct CloudLogSplitterTests {
  private static func entries(_ text: String) throws -> [String] {
    let bytes = Array(text.utf8)
    return try CloudLogSplitter.entries(in: bytes).map {
      String(decoding: bytes[$0], as: UTF8.self)
    }
  }

  @Test(arguments: [
    #"[{"a":1},{"b":[2,{}]}]"#, #"{"a":1}{"b":[2,{}]}"#, "{\"a\":1}\n{\"b\":[2,{}]}\n",
    #"{"a":1},{"b":[2,{}]}"#, #"{"rawLogs":[{"a":1},{"b":[2,{}]}],"vehicle":"v"}"#,
    #"{"vehicle":{"x":"]"},"entries":[{"a":1},{"b":[2,{}]}]}"#,
    #"{"entries":[{"a":1}],"nextPageToken":"t"} [{"b":[2,{}]}]"#,
    "\u{feff} [ {\"a\":1} ,\r\n\t{\"b\":[2,{}]} ] ",
  ])
  func findsTheEntriesOfEachForm(text: String) throws {
    #expect(try Self.entries(text) == [#"{"a":1}"#, #"{"b":[2,{}]}"#])
  }

  @Test func ignoresBracketsInStrings() throws {
    #expect(try Self.entries(#"[{"a":"}]\"{"},{"b":"\\"}]"#).count == 2)
  }

  @Test(arguments: ["", "  ", "[]", "{}", #"{"rawLogs":[]}"#])
  func aFileMayHaveNone(text: String) throws {
    // A data set without entries is an entry without a call.
    #expect(try Self.entries(text).filter { !$0.hasPrefix(#"{"rawLogs"#) }.isEmpty)
  }

  @Test(arguments: [
    ("[", "1:2: the array of entries has no end"),
    ("[{\"a\":1}\n,5]", "2:2: entry 2 is not an object"),
    ("{\"a\":", "1:6: the file ends in the middle of an entry"),
    ("{\"a\":1", "1:7: the file ends in the middle of an entry"),
    ("{\"a\":\"x", "1:8: a string has no end"),
    ("{\"a\":}", "1:6: expected a value"),
    ("{a:1}", "1:2: expected a name in double quotes"),
    ("{\"a\" 1}", "1:6: expected a colon"),
    ("hello", "1:1: expected JSON objects or an array of them"),
    ("]", "1:1: expected JSON objects or an array of them"),
  ])
  func reportsWhereTheTextIsInvalid(text: String, error: String) {
    let found = #expect(throws: CloudLogError.self) { try Self.entries(text) }
    #expect(found?.description == error)
  }

  /// Neither recursion nor quadratic time.
  @Test func readsDeepNesting() throws {
    let depth = 1 << 20
    let text =
      #"[{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      + "}]"
    #expect(try Self.entries(text).count == 1)
    #expect(throws: CloudLogError.self) {
      try Self.entries(String(repeating: "{\"a\":", count: depth))
    }
  }
}
