import Testing

@testable import WireProtobuf

@Suite struct JSONReaderTests {
  @Test func readsEveryScalar() throws {
    let text = """
      {"double": 1.5, "float": 0.1, "int32": -1, "int64": "-9007199254740993", "uint32": 4294967295,
       "uint64": "18446744073709551615", "sint32": 2, "sint64": "-3", "fixed32": 4, "fixed64": "5",
       "sfixed32": -6, "sfixed64": "-7", "bool": true, "string": "a\\"b", "bytes": "+/8=",
       "color": "COLOR_BLUE"}
      """
    let message = try Scalars(jsonString: text)
    #expect(message == (try Scalars(jsonString: try message.jsonString())))
    #expect(message.int64 == -9_007_199_254_740_993 && message.uint64 == .max)
    #expect(message.float == 0.1 && message.bytes == [0xFB, 0xFF] && message.color == .blue)
  }

  @Test(arguments: [
    (#"{"int32": "5"}"#, Scalars(int32: 5)), (#"{"int32": 1e2}"#, Scalars(int32: 100)),
    (#"{"int32": 1.0}"#, Scalars(int32: 1)), (#"{"int32": -0}"#, Scalars()),
    (#"{"int32": 12.5E+1}"#, Scalars(int32: 125)), (#"{"int32": 100000e-5}"#, Scalars(int32: 1)),
    (#"{"int32": -2147483648}"#, Scalars(int32: .min)),
    (#"{"int64": -9223372036854775808}"#, Scalars(int64: .min)),
    (#"{"uint64": 18446744073709551615}"#, Scalars(uint64: .max)),
    (#"{"uint64": 18446744073709551615.0}"#, Scalars(uint64: .max)),
    (#"{"uint64": 1844674407370955161500e-2}"#, Scalars(uint64: .max)),
    (#"{"int64": -922337203685477580800.0e-2}"#, Scalars(int64: .min)),
    (#"{"int32": 0.00000000000000000000100000e25}"#, Scalars(int32: 10_000)),
    (#"{"double": "NaN"}"#, Scalars(double: .nan)),
    (#"{"double": "-Infinity"}"#, Scalars(double: -.infinity)),
    (#"{"double": "1.5"}"#, Scalars(double: 1.5)), (#"{"double": -0.0}"#, Scalars(double: -0.0)),
    (#"{"double": 1.7976931348623157e308}"#, Scalars(double: .greatestFiniteMagnitude)),
    (
      #"{"double": 2.2250738585072011e-308}"#,
      Scalars(double: Double("2.2250738585072011e-308") ?? 0)
    ),
    (
      #"{"double": 123456789012345678901234567890}"#,
      Scalars(double: 123_456_789_012_345_677_877_719_597_056)
    ),
    (#"{"double": 9007199254740993}"#, Scalars(double: 9_007_199_254_740_992)),
    (#"{"double": 1e-400}"#, Scalars()),
    (#"{"float": 3.4028235e38}"#, Scalars(float: .greatestFiniteMagnitude)),
    (#"{"float": 16777217}"#, Scalars(float: 16_777_216)),
    (#"{"int32": "\u003125"}"#, Scalars(int32: 125)),
    (#"{"uint64": "1\u0032"}"#, Scalars(uint64: 12)),
    (#"{"float": "-\u0049nfinity"}"#, Scalars(float: -.infinity)),
    (#"{"double": "1\u002e5"}"#, Scalars(double: 1.5)),
    (#"{"color": 5}"#, Scalars(color: .blue)), (#"{"color": 9}"#, Scalars(color: .unrecognized(9))),
    (#"{"bytes": "-_8"}"#, Scalars(bytes: [0xFB, 0xFF])),
    (#"{"bytes": "AA=="}"#, Scalars(bytes: [0])),
    (#"{"string": "\u0041\uD83D\uDE00\/\b"}"#, Scalars(string: "A😀/\u{8}")),
    (#"{"int32": null, "string": null}"#, Scalars()), (" {\n} ", Scalars()),
  ])
  func valuesAreParsed(_ text: String, _ expected: Scalars) throws {
    let message = try Scalars(jsonString: text)
    if expected.double.isNaN {
      #expect(message.double.isNaN)
    } else {
      #expect(message == expected)
      #expect(message.double.sign == expected.double.sign)
    }
  }

  @Test(arguments: [
    ("", "1:1: Scalars: truncated"),
    ("{", "1:2: Scalars: truncated"),
    ("[]", "1:1: Scalars: expected a JSON object that begins with {"),
    ("{} x", "1:4: Scalars: unexpected text after the end"),
    (#"{"int32"}"#, "1:9: Scalars.int32: expected a colon"),
    (#"{"int32": 1,}"#, "1:13: Scalars: expected a field name in double quotes"),
    (
      #"{"int32": 1 "bool": true}"#,
      "1:13: Scalars.int32: expected a comma or the end of the object or array"
    ),
    ("{\n  \"int32\": tru\n}", "2:12: Scalars.int32: expected a number"),
    (#"{"int32": 1, "int32": 2}"#, "1:14: Scalars.int32: duplicate field"),
    (#"{"int32": 2147483648}"#, "1:11: Scalars.int32: number out of range"),
    (#"{"int32": 0.5}"#, "1:11: Scalars.int32: not an integer"),
    (#"{"int32": "-10.050e1"}"#, "1:11: Scalars.int32: not an integer"),
    (#"{"uint32": -1}"#, "1:12: Scalars.uint32: number out of range"),
    (#"{"uint64": 18446744073709551616}"#, "1:12: Scalars.uint64: number out of range"),
    (#"{"uint64": 1844674407370955161501e-2}"#, "1:12: Scalars.uint64: not an integer"),
    (#"{"uint64": 100000000000000000001e99999}"#, "1:12: Scalars.uint64: number out of range"),
    (#"{"uint64": 100000000000000000001e-99999}"#, "1:12: Scalars.uint64: not an integer"),
    (#"{"int32": 01}"#, "1:12: Scalars.int32: malformed number"),
    (#"{"int32": " 1"}"#, "1:12: Scalars.int32: malformed number"),
    (#"{"int32": "1 "}"#, "1:13: Scalars.int32: malformed number"),
    (#"{"int32": "1"#, "1:13: Scalars.int32: truncated"),
    (#"{"int32": "1\u0020"}"#, "1:13: Scalars.int32: malformed number"),
    (#"{"int32": "\\u0031"}"#, "1:12: Scalars.int32: malformed number"),
    (#"{"int32": "\u003x"}"#, "1:12: Scalars.int32: malformed number"),
    (#"{"uint32": "\u002d1"}"#, "1:13: Scalars.uint32: malformed number"),
    (#"{"double": 1.}"#, "1:14: Scalars.double: malformed number"),
    (#"{"double": 1e999}"#, "1:12: Scalars.double: number out of range"),
    (#"{"float": 1e39}"#, "1:11: Scalars.float: number out of range"),
    (#"{"double": NaN}"#, "1:12: Scalars.double: expected a number"),
    (#"{"bool": 1}"#, "1:10: Scalars.bool: expected true or false"),
    (#"{"bool": "true"}"#, "1:10: Scalars.bool: expected true or false"),
    (#"{"string": 1}"#, "1:12: Scalars.string: expected a string"),
    (#"{"string": "\uD800"}"#, "1:13: Scalars.string: malformed string: unpaired surrogate"),
    (#"{"string": "a\uD800\n"}"#, "1:14: Scalars.string: malformed string: unpaired surrogate"),
    (#"{"string": "\uD800\u0041"}"#, "1:13: Scalars.string: malformed string: unpaired surrogate"),
    (#"{"string": "\x"}"#, "1:13: Scalars.string: malformed string: invalid escape"),
    (#"{"string": "\u00g0"}"#, "1:13: Scalars.string: malformed string: invalid escape"),
    (
      "{\"string\": \"a\nb\"}",
      "1:14: Scalars.string: malformed string: control character that is not escaped"
    ),
    (
      "{\"string\": \"\\na\u{1}\"}",
      "1:16: Scalars.string: malformed string: control character that is not escaped"
    ),
    (#"{"bytes": "A"}"#, "1:14: Scalars.bytes: malformed base64"),
    (#"{"bytes": "AA="}"#, "1:16: Scalars.bytes: malformed base64"),
    (#"{"bytes": "A A="}"#, "1:17: Scalars.bytes: malformed base64"),
    (
      #"{"color": "RED"}"#,
      #"1:11: Scalars.color: tripwire.test.Color has no value "RED"; expected one of "#
        + "COLOR_UNSPECIFIED, COLOR_RED, COLOR_BLUE, COLOR_NEGATIVE"
    ),
    (
      #"{"color": "COLOR_BLEU"}"#,
      #"1:11: Scalars.color: tripwire.test.Color has no value "COLOR_BLEU"; did you mean COLOR_BLUE?"#
    ),
    (
      #"{"color": true}"#,
      "1:11: Scalars.color: expected an enum value: its name in double quotes or its number"
    ),
    (#"{"color": 1.5}"#, "1:11: Scalars.color: not an integer"),
    (#"{"strng": ""}"#, #"1:2: Scalars: unknown field "strng"; did you mean string?"#),
    (#"{"STRIGN": ""}"#, #"1:2: Scalars: unknown field "STRIGN"; did you mean string?"#),
    (
      #"{"no\u0007pe\u2028": 1}"#,
      #"1:2: Scalars: unknown field "nope""#
    ),
  ])
  func errorsAreReported(_ text: String, _ description: String) {
    #expect {
      try Scalars(jsonString: text)
    } throws: { error in
      #expect("\(error)" == description)
      return true
    }
  }

  @Test func invalidUTF8IsRejected() {
    for start in [#"{"string": ""#, #"{"string": "\n"#] {
      let error = #expect(throws: JSONDecodingError.self) {
        try Scalars(jsonUTF8Bytes: Array(start.utf8) + [0xFF] + Array(#""}"#.utf8))
      }
      #expect(error?.reason == .malformedString(.invalidUTF8))
    }
  }

  @Test func nullElementsAreRejected() throws {
    for text in [#"{"wrapped": [null]}"#, #"{"scalars": [null]}"#, #"{"int32s": [null]}"#] {
      #expect(throws: JSONDecodingError.self, "\(text)") { try Repeated(jsonString: text) }
    }
    #expect(try ListValue(jsonString: "[null]").values.count == 1)
  }

  @Test(arguments: [
    (#"{"counts": {"a": 1, "a": 1}}"#, #"1:21: Maps.counts["a"]: duplicate field"#),
    ("{\"counts\": {\"a\": 1,\n\"b\": 1, \"a\": tru}}", #"2:9: Maps.counts["a"]: duplicate field"#),
  ])
  func duplicateKeysOfAMapAreRejected(_ text: String, _ description: String) {
    let error = #expect(throws: JSONDecodingError.self) { try Maps(jsonString: text) }
    #expect(error?.description == description)
  }

  @Test(arguments: [
    (#"{"flags": {"TRUE": ""}}"#, #"1:12: Maps.flags["TRUE"]: expected the key true or false"#),
    (
      "{\"names\": {\"1\": \"\",\n\"x\" : \"\"}}",
      #"2:1: Maps.names["x"]: expected an integer key in the range of its type"#
    ),
    (
      #"{"names": {"2147483648": ""}}"#,
      #"1:12: Maps.names["2147483648"]: expected an integer key in the range of its type"#
    ),
  ])
  func invalidKeysOfAMapAreRejected(_ text: String, _ description: String) {
    let error = #expect(throws: JSONDecodingError.self) { try Maps(jsonString: text) }
    #expect(error?.description == description)
  }

  @Test(arguments: [
    (#"{"a": 1, "a": 1}"#, #"1:10: Struct["a"]: duplicate field"#),
    (#"{"b": {"a": 1, "\u0061" : nul}}"#, #"1:16: Struct["b"]["\u0061"]: duplicate field"#),
    (#"[{"a": {"a": 1}, "a": {}}]"#, #"1:18: Value[0]["a"]: duplicate field"#),
  ])
  func duplicateKeysOfAStructAreRejected(_ text: String, _ description: String) {
    let error = #expect(throws: JSONDecodingError.self) {
      if text.hasPrefix("[") {
        _ = try Value(jsonString: text)
      } else {
        _ = try Struct(jsonString: text)
      }
    }
    #expect(error?.description == description)
  }

  @Test func memoryIsBounded() throws {
    let text = #"{"scalars": [{}"# + String(repeating: ",{}", count: 1 << 16) + "]}"
    #expect(try Repeated(jsonString: text).scalars.count == (1 << 16) + 1)
    var options = JSONDecodingOptions()
    options.memoryFactor = 1
    #expect {
      try Repeated(jsonString: text, options: options)
    } throws: { error in
      "\(error)".hasSuffix("needs more memory or time than JSONDecodingOptions.memoryFactor allows")
    }
  }

  @Test func unknownFieldsCanBeIgnored() throws {
    let text =
      #"{"nope": {"a": [1, "x", null, true, {}]}, "int32": 1, "color": "NOPE", "nope": -1e5}"#
    var options = JSONDecodingOptions()
    options.ignoresUnknownFields = true
    #expect(try Scalars(jsonString: text, options: options) == Scalars(int32: 1))
    #expect(throws: JSONDecodingError.self) { try Scalars(jsonString: text) }
    #expect(throws: JSONDecodingError.self) {
      try Scalars(jsonString: #"{"nope": [1,]}"#, options: options)
    }
  }

  /// For programs: the unknown name and the suggested field.
  @Test func unknownFieldErrorsSuggestANearName() {
    let name = String(repeating: "x", count: 1000)
    let long = JSONPathTests.error(Scalars.self, #"{"\#(name)": 1}"#)
    #expect(long?.reason == .unknownField("\(name.prefix(100))…", suggestion: nil))
    // As documented in JSON.md.
    let cart = JSONPathTests.error(Cart.self, #"{"owner": "ann", "itmes": []}"#)
    #expect(cart?.description == #"1:18: Cart: unknown field "itmes"; did you mean items?"#)
    let near = JSONPathTests.error(Repeated.self, #"{"far_pionts": []}"#)
    #expect(near?.reason == .unknownField("far_pionts", suggestion: "farPoints"))
  }

  @Test func protoNamesAreRead() throws {
    #expect(
      try Repeated(jsonString: #"{"far_points": [{}], "strings": []}"#).farPoints == [Point()])
    #expect(try Repeated(jsonString: #"{"farPoints": [{"y": 2}]}"#).farPoints == [Point(y: 2)])
    #expect(try Repeated(jsonString: #"{"far\u0050oints": [{}]}"#).farPoints == [Point()])
    #expect(try Awkward(jsonString: #"{"@other": 1}"#).renamed == 1)
    #expect(try Awkward(jsonString: #"{"renamed": 1}"#).renamed == 1)
  }

  @Test func presenceAndOneofsAreRead() throws {
    #expect(
      try Optionals(jsonString: #"{"number": 0, "text": "", "scalars": {}}"#)
        == Optionals(number: 0, text: "", scalars: Scalars()))
    #expect(
      try Optionals(jsonString: #"{"number": null, "scalars": null, "point": null}"#) == Optionals()
    )
    #expect(try Choices(jsonString: #"{"number": 0}"#).choice == .number(0))
    #expect(try Choices(jsonString: #"{"null": null}"#).choice == .null(.nullValue))
    #expect(try Choices(jsonString: #"{"number": null, "text": "a"}"#).choice == .text("a"))
    let error = #expect(throws: JSONDecodingError.self) {
      try Choices(jsonString: #"{"number": 0, "text": "a"}"#)
    }
    #expect(error?.description == "1:15: Choices.text: text cannot be set together with number")
  }

  @Test func mapsAndRepeatedFieldsAreRead() throws {
    #expect(try Maps(jsonString: MapTests.full.jsonString()) == MapTests.full)
    #expect(throws: JSONDecodingError.self) { try Maps(jsonString: #"{"names": {"x": "y"}}"#) }
    #expect(throws: JSONDecodingError.self) { try Maps(jsonString: #"{"counts": {"x": null}}"#) }
    #expect(throws: JSONDecodingError.self) { try Repeated(jsonString: #"{"strings": [null]}"#) }
    #expect(throws: JSONDecodingError.self) { try Repeated(jsonString: #"{"scalars": [null]}"#) }
    #expect(try Repeated(jsonString: #"{"strings": null, "spans": null}"#) == Repeated())
  }

  @Test func nestingIsLimited() throws {
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    _ = try ListValue(jsonString: deep(51))
    let error = #expect(throws: JSONDecodingError.self) { try ListValue(jsonString: deep(52)) }
    #expect(error?.reason == .tooDeep)
    var options = JSONDecodingOptions()
    options.ignoresUnknownFields = true
    #expect(throws: JSONDecodingError.self) {
      try Scalars(jsonString: #"{"x": "# + deep(100_000) + "}", options: options)
    }
    let objects =
      String(repeating: #"{"x":["#, count: 100_000) + String(repeating: "]}", count: 100_000)
    #expect(throws: JSONDecodingError.self) { try Scalars(jsonString: objects, options: options) }
    let anys = String(
      repeating: #"{"@type":"x/google.protobuf.Any","value":"#, count: 2000)
    #expect(throws: JSONDecodingError.self) { try AnyMessage(jsonString: anys) }
  }

  /// JSON is accepted exactly if the binary form of the message can be decoded.
  @Test(arguments: [("[", "]", 49), (#"{"a":"#, "}", 33), (#"[{"a":"#, "}]", 19)])
  func valueNestsAsDeepAsInBinary(_ open: String, _ close: String, _ deepest: Int) throws {
    for depth in 0...60 {
      let text =
        String(repeating: open, count: depth) + "{}" + String(repeating: close, count: depth)
      #expect(try isAccepted(Value.self, text) == (depth <= deepest))
      _ = try isAccepted(Struct.self, #"{"a":\#(text)}"#)
      _ = try isAccepted(ListValue.self, "[\(text)]")
      _ = try isAccepted(WellKnown.self, #"{"value":\#(text)}"#)
      _ = try isAccepted(WellKnown.self, #"{"struct":{"a":\#(text)}}"#)
      _ = try isAccepted(WellKnown.self, #"{"list":[\#(text)]}"#)
    }
  }

  @Test(arguments: [(#"{"others":["#, "]}"), (#"{"left":"#, "}")])
  func messageNestsAsDeepAsInBinary(_ open: String, _ close: String) throws {
    for depth in [50, 51, 99, 100, 101] {
      let text =
        String(repeating: open, count: depth) + "{}" + String(repeating: close, count: depth)
      #expect(try isAccepted(Tree.self, text) == (depth <= 100))
    }
  }

  private func isAccepted<M: Message>(_ type: M.Type, _ text: String) throws -> Bool {
    let unlimited = JSONDecodingOptions(recursionLimit: 1000)
    let bytes = try M(jsonString: text, options: unlimited).serializedBytes()
    let decoded = try? M(serializedBytes: bytes)
    let read = try? M(jsonString: text)
    #expect(read == decoded, "\(M.messageName): \(text)")
    return read != nil
  }

  /// Every prefix throws, and no changed byte traps.
  @Test func invalidTextNeverTraps() throws {
    let text = Array(try MapTests.full.jsonString().utf8)
    for count in text.indices {
      #expect(throws: JSONDecodingError.self) { try Maps(jsonUTF8Bytes: Array(text[..<count])) }
    }
    for index in text.indices {
      for byte: UInt8 in [0, 0x22, 0x2C, 0x39, 0x5C, 0x7B, 0x7D, 0xFF] {
        var other = text
        other[index] = byte
        _ = try? Maps(jsonUTF8Bytes: other)
      }
    }
  }
}
