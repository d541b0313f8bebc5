import Testing

@testable import RecordingAnalysis

@Suite struct CloudLogSplitterTests {
  /// The parts of a text, each an entry, or its line and the reason why it is none.
  private struct Found: Equatable {
    var entries: [String] = []
    var problems: [String] = []
    var damage: String?
  }

  /// - Parameter size: that of the pieces in which the text arrives; nil for all at once.
  private static func split(_ text: String, size: Int? = nil) throws -> Found {
    var splitter = CloudLogSplitter()
    var rest = Array(text.utf8)[...]
    var found = Found()
    func add(_ parts: [CloudLogSplitter.Part]) {
      for part in parts {
        switch part.content {
        case .success(let entry): found.entries.append(String(decoding: entry, as: UTF8.self))
        case .failure(let error):
          // The line takes a pass over the text.
          guard found.problems.count < 100 else { continue }
          found.problems.append("\(splitter.line(of: part.offset)): \(error)")
        }
      }
    }
    while !rest.isEmpty {
      add(try splitter.add(Array(rest.prefix(size ?? rest.count))))
      rest = rest.dropFirst(size ?? rest.count)
    }
    add(try splitter.end())
    found.damage = splitter.damage?.description
    return found
  }

  private static func entries(_ text: String, size: Int? = nil) throws -> [String] {
    let found = try split(text, size: size)
    #expect(found.problems == [] && found.damage == nil)
    return found.entries
  }

  @Test(arguments: [
    #"[{"a":1},{"b":[2,{}]}]"#, #"{"a":1}{"b":[2,{}]}"#, "{\"a\":1}\n{\"b\":[2,{}]}\n",
    #"{"a":1},{"b":[2,{}]}"#, #"{"rawLogs":[{"a":1},{"b":[2,{}]}],"vehicle":"v"}"#,
    #"{"vehicle":{"x":"]"},"entries":[{"a":1},{"b":[2,{}]}]}"#,
    #"{"apiCalls":[{"a":1},{"b":[2,{}]}]}"#,
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

  @Test func elementsOfAnArrayNeedNotBeObjects() throws {
    let text = #"[1,"a",{"b":2},[{}],null]"#
    let found = try Self.split(text)
    #expect(found.entries == [#"{"b":2}"#, "[{}]"])
    #expect(found.problems == [String](repeating: "1: expected a JSON object", count: 3))
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
    ("{\"a\":1}\n{\"b\":{", "2:7: the file ends in the middle of an entry"),
    ("[{\"a\":1}\n,", "2:2: the array of entries has no end"),
  ])
  func reportsWhereTheTextEndsTooEarly(text: String, damage: String) throws {
    for size in [nil, 1] {
      let found = try Self.split(text, size: size)
      #expect((found.damage, found.problems) == (damage, []))
    }
  }

  private static let another = "another object begins in the middle of the entry"

  /// Two entries are whole, and something is wrong between them.
  @Test(arguments: [
    ("\nhello world", ["2: expected a JSON object"]),
    ("\nsay \"hello :", ["2: expected a JSON object"]),
    ("\n\n \r", []),
    ("\n12\n\"x\"\nnull", [2, 3, 4].map { "\($0): expected a JSON object" }),
    ("\n}\n]]", [2, 3].map { "\($0): expected a JSON object" }),
    ("\r\n{\"b\":{\"c\":1\r", ["2: \(another)"]),
    ("\n{\"b\":[1,{}", ["2: \(another)"]),
    ("\n{", ["2: \(another)"]),
    ("\n{\"b", ["2: a string of the entry has no end in its line"]),
    ("\n{\"b\":\"c\\", ["2: the entry has no end"]),
    ("\n{\"b\":[}", ["2: a bracket of the entry does not match"]),
    ("\n{\"b\":tru\n{\"c\":1", ["2: \(another)", "3: \(another)"]),
    ("\n{\"b\":[1,\n{\"c\":[", ["2: the entry has no end", "3: the entry has no end"]),
    ("\n09:30 INFO ", ["2: expected a JSON object"]),
    ("\n  ,{\n    \"b\": {\n  }\n  ,", ["2: \(another)"]),
    (",{\"a\":[1},", ["1: a bracket of the entry does not match"]),
    (",{\"a\":\"x},", ["1: the entry has no end"]),
  ])
  func skipsWhatIsDamagedAlone(text: String, problems: [String]) throws {
    let line =
      #"{"a":{}}"# + text + (text.hasSuffix(" ") || text.hasSuffix(",") ? "" : "\n")
      + #"{"a":[{}]}"#
    let forms = text.contains("\n") && !text.contains("]]") ? [line, "[\(line)]"] : [line]
    for form in text.hasSuffix(",") ? ["[\(line)]"] : forms {
      for size in [nil, 1, 3, 7] {
        let found = try Self.split(form, size: size)
        #expect(found.entries == [#"{"a":{}}"#, #"{"a":[{}]}"#])
        #expect(found.problems == problems)
      }
    }
  }

  @Test func anEntryThatIsTooLongIsSkipped() throws {
    let long = String(repeating: "x", count: 5 << 20)
    let text = "[\n  {\n    \"a\": \"\(long)\"\n  },\n  {\"b\":1}\n]"
    for size in [nil, 1 << 16] {
      let found = try Self.split(text, size: size)
      #expect(found == Found(entries: [#"{"b":1}"#], problems: ["2: longer than 4 MiB"]))
    }
  }

  /// Neither recursion nor quadratic time.
  @Test func skipsDeepNesting() throws {
    let depth = 1 << 20
    let text =
      #"[{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      + "},\n {\"b\":1}]"
    let problem = "1: nested more than 256 levels deep"
    #expect(try Self.split(text) == Found(entries: [#"{"b":1}"#], problems: [problem]))
    let open = try Self.split(String(repeating: "{\"a\":", count: depth))
    #expect(open.entries == [] && open.problems.first == problem)
  }
}
