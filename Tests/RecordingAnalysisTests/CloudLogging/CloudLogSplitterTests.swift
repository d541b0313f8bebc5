import Testing

@testable import RecordingAnalysis

@Suite struct CloudLogSplitterTests {
  /// - Parameter size: that of the pieces in which the text arrives; nil for all at once.
  private static func entries(_ text: String, size: Int? = nil) throws -> [String] {
    var splitter = CloudLogSplitter()
    var rest = Array(text.utf8)[...]
    var entries: [[UInt8]] = []
    while !rest.isEmpty {
      entries += try splitter.add(Array(rest.prefix(size ?? rest.count)))
      rest = rest.dropFirst(size ?? rest.count)
    }
    entries += try splitter.end()
    #expect(splitter.count == entries.count)
    return entries.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    #"[{"a":1},{"b":[2,{}]}]"#, #"{"a":1}{"b":[2,{}]}"#, "{\"a\":1}\n{\"b\":[2,{}]}\n",
    #"{"a":1},{"b":[2,{}]}"#, #"{"rawLogs":[{"a":1},{"b":[2,{}]}],"vehicle":"v"}"#,
    #"{"vehicle":{"x":"]"},"entries":[{"a":1},{"b":[2,{}]}]}"#,
    #"{"entries":[{"a":1}],"nextPageToken":"t"} [{"b":[2,{}]}]"#,
    "\u{feff} [ {\"a\":1} ,\r\n\t{\"b\":[2,{}]} ] ",
  ])
  func findsTheEntriesOfEachForm(text: String) throws {
    for size in [nil, 1, 3, 7] {
      // The mark arrives as a whole, as in the first read of a file.
      if size != nil, text.unicodeScalars.first == "\u{feff}" { continue }
      #expect(try Self.entries(text, size: size) == [#"{"a":1}"#, #"{"b":[2,{}]}"#])
    }
  }

  /// Each is skipped with a reason when it is decoded.
  @Test func elementsOfAnArrayNeedNotBeObjects() throws {
    let text = #"[1,"a",{"b":2},[{}],null]"#
    #expect(try Self.entries(text) == ["1", #""a""#, #"{"b":2}"#, "[{}]", "null"])
  }

  @Test func ignoresBracketsInStrings() throws {
    #expect(try Self.entries(#"[{"a":"}]\"{"},{"b":"\\"}]"#).count == 2)
  }

  @Test(arguments: ["", "  ", "[]", #"{"rawLogs":[]}"#, #"{"rawLogs":[],"solutionType":"LMFS"}"#])
  func aFileMayHaveNone(text: String) throws {
    #expect(try Self.entries(text).isEmpty)
  }

  @Test(arguments: [
    ("[", "1:2: the array of entries has no end"),
    ("{\"a\":", "1:6: the file ends in the middle of an entry"),
    ("{\"a\":1", "1:7: the file ends in the middle of an entry"),
    ("{\"a\":\"x", "1:8: the file ends in the middle of an entry"),
    ("[{\"a\":1}\n,", "2:2: the array of entries has no end"),
    ("{\"a\":1}\n :", "2:2: expected JSON objects or an array of them"),
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
