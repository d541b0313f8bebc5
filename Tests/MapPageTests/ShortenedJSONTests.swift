import MapPage
import Testing

@Suite struct ShortenedJSONTests {
  private func shortened(_ json: String) -> String {
    String(decoding: ShortenedJSON.shortened(Array(json.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    "{}", "[]", "null", "-1.5e3", "\"\"", "\"a\\\"b\\\\\"",
    "{\"a\":[1,2,{\"b\":\"]}\"}],\"c\":true}",
  ])
  func shortJSONIsUnchanged(json: String) {
    #expect(shortened(json) == json)
  }

  @Test func longArrayKeepsItsFirstElements() {
    let json =
      "{\"a\":[" + (0..<2_000).map { "{\"n\":\($0)}" }.joined(separator: ",") + "],\"b\":1}"
    let kept = (0..<20).map { "{\"n\":\($0)}" }.joined(separator: ",")
    #expect(shortened(json) == "{\"a\":[\(kept),\"… 1980 more\"],\"b\":1}")
  }

  @Test func longTextKeepsItsBeginning() {
    let text = String(repeating: "x", count: 501)
    #expect(
      shortened("\"\(text)\"") == "\"" + String(repeating: "x", count: 500) + "… (501 bytes)\"")
  }

  /// A cut inside a character or an escape would make the JSON invalid.
  @Test(arguments: ["é", "😀", "\\n", "\\u00e9", "\\\\"], 480..<500)
  func textIsTruncatedBetweenCharacters(character: String, count: Int) throws {
    let text = String(repeating: "x", count: count) + String(repeating: character, count: 400)
    let bytes = ShortenedJSON.shortened(Array("\"\(text)\"".utf8))
    let cut = try #require(String(validating: bytes, as: UTF8.self))
    let kept = cut.dropFirst().prefix { $0 != "…" }
    #expect(text.hasPrefix(kept))
    let rest = kept.utf8.count - count
    #expect(rest % character.utf8.count == 0)
  }
}
