import Testing
import WireProtobuf

@testable import CommandCalls

@Suite struct JSONValuesTests {
  /// Returns the values of a text that arrives in pieces of a given size.
  static func values(_ text: String, piece: Int, limit: Int = 1000) throws -> [String] {
    var values = JSONValues(limit: limit)
    var found: [String] = []
    let bytes = Array(text.utf8)
    func take(isEnd: Bool) throws {
      while let value = try values.next(isEnd: isEnd) {
        found.append("\(value.position) " + String(decoding: value.text, as: UTF8.self))
      }
    }
    for start in stride(from: 0, to: bytes.count, by: piece) {
      values.append(Array(bytes[start..<min(start + piece, bytes.count)]))
      try take(isEnd: false)
    }
    try take(isEnd: true)
    return found
  }

  @Test(arguments: [1, 2, 7, 1000])
  func splitsConcatenatedValues(piece: Int) throws {
    let text = #"""
      {"a":{"b":[1,"}"]}}{"c":"\"]"}
        [1] "x\\" 12 -3.5e7 true{}null
      {
      }]
      """#
    #expect(
      try Self.values(text, piece: piece) == [
        #"1:1 {"a":{"b":[1,"}"]}}"#, #"1:20 {"c":"\"]"}"#, "2:3 [1]", #"2:7 "x\\""#, "2:13 12",
        "2:16 -3.5e7", "2:23 true", "2:27 {}", "2:29 null", "3:1 {\n}", "4:2 ]",
      ])
  }

  @Test(arguments: [1, 2, 3, 1000])
  func ignoresAByteOrderMarkAtTheStart(piece: Int) throws {
    let values = try Self.values("\u{FEFF}{}\u{FEFF}[]", piece: piece)
    #expect(values == ["1:1 {}", "1:3 \u{FEFF}", "1:6 []"])
    #expect(try Self.values("\u{FEFF}", piece: piece) == [])
  }

  @Test func truncatedTextIsAValueOnlyAtTheEnd() throws {
    #expect(try Self.values(#" {"a": "#, piece: 3) == [#"1:2 {"a": "#])
    #expect(try Self.values(#"{} "a\"#, piece: 3) == ["1:1 {}", #"1:4 "a\"#])
    #expect(try Self.values("  \n\t ", piece: 2) == [])
    var values = JSONValues()
    values.append(Array("12".utf8))
    #expect(try values.next(isEnd: false) == nil)
    values.append(Array("3 ".utf8))
    #expect(try values.next(isEnd: false)?.text == Array("123".utf8))
    #expect(!values.hasText)
    values.append(Array("[\"a\\".utf8))
    #expect(try values.next(isEnd: false) == nil)
    #expect(values.hasText)
    values.append(Array("\"]\"]".utf8))
    #expect(try values.next(isEnd: false)?.text == Array("[\"a\\\"]\"]".utf8))
  }

  @Test func limitsTheLengthOfAValue() throws {
    let long = "{\"a\":\"" + String(repeating: "x", count: 50) + "\"}"
    #expect(try Self.values(long + long, piece: 9, limit: 60).count == 2)
    #expect(throws: JSONValues.TooLong(limit: 40, position: TextPosition(after: "{}\n ".utf8))) {
      try Self.values("{}\n " + long, piece: 9, limit: 40)
    }
  }
}
