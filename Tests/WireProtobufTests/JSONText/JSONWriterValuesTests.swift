import Testing
import WireProtobuf

@Suite struct JSONWriterValuesTests {
  @Test func writesNestedValuesWithoutWhiteSpace() {
    let json = JSONWriter.object { json in
      json.member("a\"b", "c\n")
      json.object("empty") { _ in }
      json.member("none", [String]())
      json.member("flag", true)
      json.member("count", -12)
      json.member("ids", ["x", "\u{1}"])
      json.member("squares", 1...3) { json, number in
        json.object { $0.member("square", number * number) }
      }
      json.member("raw", json: "[null]")
    }
    #expect(
      json == #"{"a\"b":"c\n","empty":{},"none":[],"flag":true,"count":-12,"ids":["x","\u0001"],"#
        + #""squares":[{"square":1},{"square":4},{"square":9}],"raw":[null]}"#)
  }

  @Test func omitsNil() {
    let json = JSONWriter.object { json in
      json.member("text", String?.none)
      json.member("number", Int?.none)
      json.member("json", json: String?.none)
      json.member("last", UInt64.max)
    }
    #expect(json == #"{"last":18446744073709551615}"#)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-100, "-100"), (-1.5, "-1.5"), (0.0000001, "0.0000001"),
      (0.00000004, "0"), (-0.00000004, "0"), (179.99999999, "180"), (-122.0680001, "-122.0680001"),
      (37.344146, "37.344146"), (99_999_999.5, "99999999.5"), (9e11, "null"),
      (.nan, "null"),
      (.infinity, "null"), (1e300, "null"),
    ] as [(Double, String)])
  func decimalsHaveNoExponent(value: Double, text: String) {
    #expect(JSONWriter.text { $0.put(decimal: value) } == text)
  }

  @Test func jsonIsCopied() {
    #expect(JSONWriter.bytes { $0.put(json: "[1]".utf8) } == Array("[1]".utf8))
    #expect(JSONWriter.text { $0.put(json: [[0x5b], [0x5d]].joined()) } == "[]")
  }
}
