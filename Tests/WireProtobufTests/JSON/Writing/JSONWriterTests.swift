import Testing

@testable import WireProtobuf

@Suite struct JSONWriterTests {
  @Test func writesEveryScalar() throws {
    let message = Scalars(
      double: 1.5, float: 0.1, int32: -1, int64: -9_007_199_254_740_993, uint32: .max,
      uint64: .max, sint32: 2, sint64: -3, fixed32: 4, fixed64: 5, sfixed32: -6, sfixed64: -7,
      bool: true, string: "a\"b", bytes: [0xFB, 0xFF], color: .blue)
    #expect(
      try message.jsonString() == """
        {"double":1.5,"float":0.1,"int32":-1,"int64":"-9007199254740993","uint32":4294967295,\
        "uint64":"18446744073709551615","sint32":2,"sint64":"-3","fixed32":4,"fixed64":"5",\
        "sfixed32":-6,"sfixed64":"-7","bool":true,"string":"a\\"b","bytes":"+/8=",\
        "color":"COLOR_BLUE"}
        """)
    #expect(try Scalars().jsonString() == "{}")
    #expect(try Scalars(color: .unrecognized(7)).jsonString() == #"{"color":7}"#)
  }

  /// The shortest digits that read back, as printed by Python's repr and json.
  @Test(
    arguments: [
      (37.774749, "37.774749"), (-122.419308, "-122.419308"), (1, "1.0"), (-1, "-1.0"),
      (100, "100.0"), (0.1, "0.1"), (0.0001, "0.0001"), (0.00001, "1e-05"),
      (0.0001234567, "0.0001234567"), (1e15, "1000000000000000.0"), (1e16, "1e+16"),
      (123_456_789.123_456_7, "123456789.1234567"), (12345678.9, "12345678.9"),
      (0.1 + 0.2, "0.30000000000000004"), (.leastNonzeroMagnitude, "5e-324"), (-0.0, "-0.0"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (99999999.9999999, "99999999.9999999"),
      (2.5e-7, "2.5e-07"), (1.0000001, "1.0000001"), (1.00000001, "1.00000001"),
    ] as [(Double, String)])
  func doublesHaveTheShortestDigits(_ value: Double, _ text: String) throws {
    #expect(try Scalars(double: value).jsonString() == "{\"double\":\(text)}")
    #expect(Double(text) == value)
  }

  @Test func coordinatesReadBack() throws {
    var value = -180.0
    while value < 180 {
      let rounded = Double(Int(value * 1e6)) / 1e6
      let text = try Scalars(double: rounded).jsonString()
      if rounded != 0 { #expect(text == "{\"double\":\(rounded)}") }
      value += 0.370_371
    }
  }

  @Test func nonFiniteNumbersAreStrings() throws {
    #expect(
      try Scalars(double: .nan, float: -.infinity).jsonString()
        == #"{"double":"NaN","float":"-Infinity"}"#)
    #expect(try Scalars(double: .infinity).jsonString() == #"{"double":"Infinity"}"#)
  }

  @Test(arguments: [
    ("é 😀", "é 😀"), ("\u{0}\u{1F}\u{7F}", "\\u0000\\u001f\u{7F}"),
    ("\n\r\t\u{8}\u{C}", "\\n\\r\\t\\b\\f"),
    ("\\/", "\\\\/"), ("\u{2028}", "\u{2028}"),
  ])
  func stringsAreEscaped(_ value: String, _ text: String) throws {
    #expect(try Scalars(string: value).jsonString() == "{\"string\":\"\(text)\"}")
  }

  @Test(
    arguments: [
      ([], ""), ([0], "AA=="), ([0, 1], "AAE="), ([0, 1, 2], "AAEC"),
      ([255, 254, 253, 252], "//79/A=="),
    ] as [([UInt8], String)])
  func bytesAreBase64(_ value: [UInt8], _ text: String) throws {
    #expect(try BytesValue(value: value).jsonString() == "\"\(text)\"")
  }

  @Test func repeatedFieldsAreArrays() throws {
    let message = Repeated(
      strings: ["a", ""], points: [Point(x: 1), Point()], wrapped: [Int32Value(value: 0)])
    #expect(
      try message.jsonString() == #"{"strings":["a",""],"points":[{"x":1.0},{}],"wrapped":[0]}"#)
    #expect(
      try message.jsonString(options: .pretty) == """
        {
          "strings": [
            "a",
            ""
          ],
          "points": [
            {
              "x": 1.0
            },
            {}
          ],
          "wrapped": [
            0
          ]
        }
        """)
  }

  @Test func presentDefaultsAreWritten() throws {
    #expect(
      try Optionals(number: 0, text: "", scalars: Scalars()).jsonString()
        == #"{"number":0,"text":"","scalars":{}}"#)
    #expect(try Choices(choice: .number(0)).jsonString() == #"{"number":0}"#)
    #expect(try Choices(choice: .null(.nullValue)).jsonString() == #"{"null":null}"#)
  }

  @Test func mapsAreOrderedByKey() throws {
    let message = Maps(
      counts: ["b\"": 1, "a": 2], names: [10: "x", 9: "y"], flags: [true: [1], false: []],
      scalars: ["k": Scalars()], colors: ["c": .red])
    #expect(
      try message.jsonString() == """
        {"counts":{"a":2,"b\\"":1},"names":{"9":"y","10":"x"},"flags":{"false":"","true":"AQ=="},\
        "scalars":{"k":{}},"colors":{"c":"COLOR_RED"}}
        """)
  }

  @Test func protoNamesAreWritten() throws {
    let message = Awkward(selfField: 1, renamed: 2, switch: .default(3))
    #expect(try message.jsonString() == #"{"self":1,"@other":2,"default":3}"#)
  }

  @Test func longOutputRoundTrips() throws {
    let message = Repeated(strings: (0..<5000).map { "number \($0)" })
    let text = try message.jsonString()
    #expect(text.utf8.count > 60_000)
    #expect(try Repeated(jsonString: text) == message)
  }
}
