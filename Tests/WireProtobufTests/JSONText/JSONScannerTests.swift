import Testing
import WireProtobuf

@Suite struct JSONScannerTests {
  /// Returns the tokens with their texts.
  private static func tokens(_ scanner: inout JSONScanner) -> [String] {
    var tokens: [String] = []
    while let token = scanner.next() {
      tokens.append("\(token) " + String(decoding: scanner.text[scanner.range], as: UTF8.self))
    }
    return tokens
  }

  private static let text = #"{"a\"" :[1.5e3,true],"é\\":{} ,x y}"#
  private static let tokens = [
    "beginObject {", #"string "a\"""#, "colon :", "beginArray [", "word 1.5e3", "comma ,",
    "word true",
    "endArray ]", "comma ,", #"string "é\\""#, "colon :", "beginObject {", "endObject }", "comma ,",
    "word x", "word y", "endObject }",
  ]

  @Test func findsTheTokens() {
    var scanner = JSONScanner(Array(Self.text.utf8))
    #expect(Self.tokens(&scanner) == Self.tokens)
    #expect(scanner.next() == nil)
    var middle = JSONScanner(Array("]]12".utf8), at: 2)
    #expect(Self.tokens(&middle) == ["word 12"])
  }

  /// A piece may end in a string, after a backslash and in a word.
  @Test(arguments: 1...8) func textMayArriveInPieces(size: Int) {
    var scanner = JSONScanner([])
    scanner.isComplete = false
    let bytes = Array(Self.text.utf8)
    var tokens: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      let read = tokens.isEmpty ? 0 : scanner.range.lowerBound
      scanner.append(Array(bytes[start..<min(start + size, bytes.count)]), removingFirst: read)
      tokens += Self.tokens(&scanner)
    }
    #expect(tokens == Self.tokens)
    #expect(scanner.text.count <= 6 + size)
  }

  @Test func lastWordEndsWithTheText() {
    var scanner = JSONScanner(Array("12".utf8))
    scanner.isComplete = false
    #expect(scanner.next() == nil)
    scanner.append([], removingFirst: 0)
    scanner.isComplete = true
    #expect(scanner.next() == .word)
    #expect(scanner.range == 0..<2)
  }

  @Test(arguments: [#"["a"#, #"["a\"#, #"["a\""#]) func openStringIsNoToken(text: String) {
    var scanner = JSONScanner(Array(text.utf8))
    #expect(scanner.next() == .beginArray)
    #expect(scanner.peek() == .string)
    #expect(scanner.next() == nil)
    #expect(scanner.isInString)
    #expect(scanner.range == 1..<text.utf8.count)
  }

  @Test(arguments: [
    (#" [1, {"a": "]"}] ,2"#, #"[1, {"a": "]"}]"#), (#""a" "b""#, #""a""#), ("12 , 3", "12 "),
    ("1]", "1"), (", 1", ""), ("}", ""), ("{}}", "{}"),
  ])
  func skipsAValue(text: String, value: String) {
    var scanner = JSONScanner(Array(text.utf8))
    let range = scanner.skipValue()
    #expect(range.map { String(decoding: scanner.text[$0], as: UTF8.self) } == value)
    #expect(scanner.position == range?.upperBound)
  }

  @Test(arguments: ["", "  ", "[1,", #"{"a"#, "1"]) func truncatedValueIsNil(text: String) {
    var scanner = JSONScanner(Array(text.utf8))
    #expect(scanner.skipValue() == nil)
  }
}
