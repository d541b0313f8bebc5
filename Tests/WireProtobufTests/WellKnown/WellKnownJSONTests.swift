import Testing

@testable import WireProtobuf

@Suite struct WellKnownJSONTests {
  static func json(_ message: some Message) -> String {
    do {
      return try message.jsonString()
    } catch {
      return "\(error)"
    }
  }

  @Test(
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
      (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
      (951_782_400, 0, "2000-02-29T00:00:00Z"), (951_868_799, 0, "2000-02-29T23:59:59Z"),
      (-2_203_891_200, 0, "1900-03-01T00:00:00Z"), (-1, 500_000_000, "1969-12-31T23:59:59.500Z"),
      (1_785_912_645, 402_000_000, "2026-08-05T06:50:45.402Z"),
      (1, 1_000, "1970-01-01T00:00:01.000001Z"),
      (1, 1, "1970-01-01T00:00:01.000000001Z"),
    ] as [(Int64, Int32, String)])
  func timestampsRoundTrip(_ seconds: Int64, _ nanos: Int32, _ text: String) throws {
    let time = Timestamp(seconds: seconds, nanos: nanos)
    #expect(Self.json(time) == "\"\(text)\"")
    #expect(try Timestamp(jsonString: "\"\(text)\"") == time)
  }

  @Test func timestampOffsetsAreParsedAndErrorsRejected() throws {
    #expect(try Timestamp(jsonString: #""1970-01-01T01:30:00+01:30""#) == Timestamp())
    #expect(
      try Timestamp(jsonString: #""1969-12-31T23:00:00.5-01:00""#) == Timestamp(nanos: 500_000_000))
    for text in [
      "1970-01-01T00:00:00", "1970-01-01 00:00:00Z", "1970-1-01T00:00:00Z", "1970-02-29T00:00:00Z",
      "1970-13-01T00:00:00Z", "1970-00-01T00:00:00Z", "1970-01-00T00:00:00Z",
      "1970-01-01T24:00:00Z",
      "1970-01-01T00:60:00Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.1234567890Z",
      "0000-12-31T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
      "1970-01-01T00:00:00z", "1970-01-01t00:00:00Z", "1970-01-01T00:00:00Zx", "",
    ] {
      #expect(throws: JSONDecodingError.self, "\(text)") {
        try Timestamp(jsonString: "\"\(text)\"")
      }
    }
    #expect(
      Self.json(Timestamp(seconds: -62_135_596_801))
        == "Timestamp: -62135596801 seconds is outside the years 1 to 9999")
    #expect(
      Self.json(Timestamp(nanos: -1))
        == "Timestamp: -1 nanos is outside 0 to 999999999")
    #expect(Self.json(Timestamp(seconds: .max)) != "")
    #expect(Self.json(Timestamp(seconds: .min)) != "")
  }

  @Test(
    arguments: [
      (0, 0, "0s"), (1, 0, "1s"), (-1, 0, "-1s"), (0, -1, "-0.000000001s"),
      (1, 500_000_000, "1.500s"),
      (-1, -500_000_000, "-1.500s"), (0, 10_000, "0.000010s"),
      (315_576_000_000, 0, "315576000000s"),
    ] as [(Int64, Int32, String)])
  func durationsRoundTrip(_ seconds: Int64, _ nanos: Int32, _ text: String) throws {
    let duration = WireDuration(seconds: seconds, nanos: nanos)
    #expect(Self.json(duration) == "\"\(text)\"")
    #expect(try WireDuration(jsonString: "\"\(text)\"") == duration)
  }

  @Test func invalidDurationsAreRejected() {
    for text in ["1", "s", "1.s", ".5s", "1.5", "1 s", "+1s", "315576000001s", "1.0000000001s"] {
      #expect(throws: JSONDecodingError.self, "\(text)") {
        try WireDuration(jsonString: "\"\(text)\"")
      }
    }
    for duration in [
      WireDuration(seconds: 1, nanos: -1), WireDuration(seconds: -1, nanos: 1),
      WireDuration(nanos: 1_000_000_000), WireDuration(seconds: 315_576_000_001),
      WireDuration(seconds: .min, nanos: .min),
    ] {
      #expect(throws: JSONEncodingError.self) { try duration.jsonString() }
    }
  }

  @Test func fieldMasksAreCamelCase() throws {
    let mask = FieldMask(paths: ["vehicle_id", "pickup_point.terminal_point_id.value", "name"])
    #expect(Self.json(mask) == #""vehicleId,pickupPoint.terminalPointId.value,name""#)
    #expect(try FieldMask(jsonString: mask.jsonString()) == mask)
    #expect(Self.json(FieldMask()) == "\"\"")
    #expect(try FieldMask(jsonString: "\"\"") == FieldMask())
    // Only ASCII letters are converted: a combining mark does not change that.
    #expect(Self.json(FieldMask(paths: ["a_b\u{301}"])) == "\"aB\u{301}\"")
    #expect(try FieldMask(jsonString: "\"aB\u{301}\"").paths == ["a_b\u{301}"])
    #expect(try FieldMask(jsonString: "\"\u{C9}\"").paths == ["\u{C9}"])
    for path in ["fooBar", "foo__bar", "foo_3", "foo_", "foo_\u{E9}"] {
      #expect(throws: JSONEncodingError.self, "\(path)") {
        try FieldMask(paths: [path]).jsonString()
      }
    }
    for text in ["foo_bar", "a,,b", ","] {
      #expect(throws: JSONDecodingError.self, "\(text)") {
        try FieldMask(jsonString: "\"\(text)\"")
      }
    }
  }

  @Test func anyOfAKnownTypeRoundTrips() throws {
    let options = JSONEncodingOptions(types: TypeRegistry([Scalars.self]))
    var reading = JSONDecodingOptions()
    reading.types = options.types
    let any = AnyMessage(packing: Scalars(int32: 1, string: "x"))
    let text = #"{"@type":"type.googleapis.com/tripwire.test.Scalars","int32":1,"string":"x"}"#
    #expect(try any.jsonString(options: options) == text)
    #expect(try AnyMessage(jsonString: text, options: reading) == any)
    let late = #"{"int32":1, "@type":"type.googleapis.com/tripwire.test.Scalars","string":"x"}"#
    #expect(try AnyMessage(jsonString: late, options: reading) == any)
    #expect(try any.unpack(Scalars.self)?.int32 == 1)
    #expect(try any.unpack(Tree.self) == nil)
    #expect(throws: JSONEncodingError.self) { try any.jsonString() }
    #expect(throws: JSONDecodingError.self) { try AnyMessage(jsonString: text) }
    // A field that the packed message does not have.
    #expect(throws: JSONDecodingError.self) {
      try AnyMessage(jsonString: text.replacing("int32", with: "nope"), options: reading)
    }
  }

  @Test func anyOfAWellKnownTypeRoundTrips() throws {
    let any = AnyMessage(packing: WireDuration(seconds: 1))
    let text = #"{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}"#
    #expect(try any.jsonString() == text)
    #expect(try AnyMessage(jsonString: text) == any)
    let nested = AnyMessage(packing: any)
    #expect(try AnyMessage(jsonString: nested.jsonString()) == nested)
    #expect(try AnyMessage().jsonString() == "{}")
  }

  @Test func nestedAnyHasALimit() throws {
    var any = AnyMessage(packing: WireDuration(seconds: 1))
    for _ in 0..<98 { any = AnyMessage(packing: any) }
    #expect(throws: Never.self) { try any.jsonString() }
    for _ in 0..<10_000 { any = AnyMessage(packing: any) }
    let error = #expect(throws: JSONEncodingError.self) { try any.jsonString() }
    #expect(error?.reason == "messages are nested more than 100 deep")
    #expect(try AnyMessage(jsonString: "{}") == AnyMessage())
    #expect(throws: JSONDecodingError.self) { try AnyMessage(jsonString: #"{"value": 1}"#) }
  }

  /// The nesting depth of an Any's contents counts from the position of the Any.
  @Test func nestedAnySharesTheRecursionLimit() throws {
    let types = TypeRegistry([Tree.self])
    func nested(_ trees: Int, in anys: Int) throws -> Result<String, any Error> {
      var tree = Tree()
      for _ in 1..<trees { tree = Tree(left: tree) }
      var any = AnyMessage(packing: tree)
      for _ in 1..<anys { any = AnyMessage(packing: any) }
      return Result { try any.jsonString(options: JSONEncodingOptions(types: types)) }
    }
    var options = JSONDecodingOptions()
    options.types = types
    // The innermost Any and the first tree are one object.
    let text = try nested(50, in: 51).get()
    #expect(
      try AnyMessage(jsonString: text, options: options).jsonString(options: .init(types: types))
        == text)
    #expect(throws: JSONEncodingError.self) { try nested(51, in: 51).get() }
    let deeper = #"{"@type":"x/google.protobuf.Any","value":\#(text)}"#
    #expect {
      try AnyMessage(jsonString: deeper, options: options)
    } throws: { error in
      (error as? JSONDecodingError)?.reason == .tooDeep
    }
  }

  @Test func invalidAnyIsRejected() throws {
    let type = #""@type":"type.googleapis.com/google.protobuf.Duration""#
    for text in [
      #"{\#(type),\#(type),"value":"1s"}"#, #"{\#(type),"value":"1s","value":"2s"}"#,
      #"{\#(type)}"#, #"{\#(type),"value":"1s","other":1}"#, #"{\#(type),"value":null}"#,
      #"{\#(type),"value":{}}"#, #"{"@type":1,"value":"1s"}"#,
      #"{"@type":"Duration","value":"1s"}"#,
    ] {
      #expect(throws: JSONDecodingError.self, "\(text)") { try AnyMessage(jsonString: text) }
    }
    var options = JSONDecodingOptions()
    options.ignoresUnknownFields = true
    #expect(
      try AnyMessage(jsonString: #"{"a":[],\#(type),"value":"1s","b":1}"#, options: options)
        == AnyMessage(packing: WireDuration(seconds: 1)))
    let error = #expect(throws: JSONDecodingError.self) {
      try WellKnown(jsonString: #"{"any":{\#(type),"value":"1"}}"#)
    }
    #expect("\(error as Any)".contains("WellKnown.any"))
  }

  @Test(arguments: [
    (
      #"{"time": "yesterday"}"#,
      "1:10: WellKnown.time: expected an RFC 3339 time in the years 1 to 9999, "
        + "such as \"2026-11-21T10:00:00Z\""
    ),
    (
      #"{"times": ["2026-11-21T10:00:00Z", {"seconds": 1}]}"#,
      "1:36: WellKnown.times[1]: expected an RFC 3339 time in the years 1 to 9999, "
        + "such as \"2026-11-21T10:00:00Z\""
    ),
    (
      #"{"duration": 5}"#,
      "1:14: WellKnown.duration: expected a duration in seconds with the suffix s, such as \"1.5s\", up to 10,000 years"
    ),
    (
      #"{"mask": {"paths": ["id"]}}"#,
      "1:10: WellKnown.mask: expected lowerCamelCase paths separated by commas, "
        + "such as \"id,tripStatus\""
    ),
    (#"{"time": "#, "1:10: WellKnown.time: truncated"),
    (
      #"{"duration": "5"}"#,
      "1:14: WellKnown.duration: expected a duration in seconds with the suffix s, such as \"1.5s\", up to 10,000 years"
    ),
    (
      #"{"mask": "a_b"}"#,
      "1:10: WellKnown.mask: expected lowerCamelCase paths separated by commas, "
        + "such as \"id,tripStatus\""
    ),
    (
      #"{"any": {"value": 1}}"#,
      "1:9: WellKnown.any: the field \"@type\" with the type URL of the message is missing"
    ),
    (
      #"{"any": {"@type": "Duration"}}"#,
      #"1:9: WellKnown.any: the type URL "Duration" has no / before the type name"#
    ),
    (
      #"{"any": {"@type": "x/shop.Nope"}}"#,
      #"1:9: WellKnown.any: the type "x/shop.Nope" is unknown; "#
        + "add it to JSONDecodingOptions.types"
    ),
  ])
  func decodingErrorsNameTheField(_ text: String, _ description: String) {
    #expect(JSONPathTests.error(WellKnown.self, text)?.description == description)
  }

  @Test(
    arguments: [
      (
        WellKnown(times: [Timestamp(), Timestamp(nanos: -1)]),
        "WellKnown.times[1]: -1 nanos is outside 0 to 999999999"
      ),
      (
        WellKnown(any: AnyMessage(packing: Scalars())),
        #"WellKnown.any: the type "type.googleapis.com/tripwire.test.Scalars" is unknown; "#
          + "add it to JSONEncodingOptions.types"
      ),
      (
        WellKnown(any: AnyMessage(typeUrl: "Scalars")),
        #"WellKnown.any: the type URL "Scalars" has no / before the type name"#
      ),
      (
        WellKnown(any: AnyMessage(packing: WireDuration(seconds: .max))),
        "WellKnown.any.value: 9223372036854775807 seconds is more than 10,000 years"
      ),
      (
        WellKnown(mask: FieldMask(paths: ["", "aB"])),
        #"WellKnown.mask: the path "" cannot be converted to lowerCamelCase and back"#
      ),
      (
        WellKnown(mask: FieldMask(paths: ["a", "b,c"])),
        #"WellKnown.mask: the path "b,c" cannot be converted to lowerCamelCase and back"#
      ),
      (
        WellKnown(struct: Struct(fields: ["a": Value(kind: .boolValue(true)), "k": Value()])),
        #"WellKnown.struct["k"]: no kind is set"#
      ),
      (
        WellKnown(list: ListValue(values: [Value(kind: .stringValue("],")), Value()])),
        "WellKnown.list[1]: no kind is set"
      ),
    ])
  func encodingErrorsNameTheField(_ message: WellKnown, _ description: String) {
    let error = #expect(throws: JSONEncodingError.self) { try message.jsonString() }
    #expect(error?.description == description)
    let pretty = #expect(throws: JSONEncodingError.self) {
      try message.jsonUTF8Bytes(options: .pretty)
    }
    #expect(pretty == error)
  }

  @Test func structsRoundTrip() throws {
    let text = #"{"a":1.0,"b":[null,true,"x",{}],"c":{"d":-2.5}}"#
    let message = try Struct(jsonString: text)
    #expect(try message.jsonString() == text)
    #expect(message.fields["a"]?.kind == .numberValue(1))
    #expect(try Struct(serializedBytes: message.serializedBytes()) == message)
    #expect(throws: JSONEncodingError.self) { try Value().jsonString() }
    #expect(throws: JSONEncodingError.self) { try Value(kind: .numberValue(.nan)).jsonString() }
    #expect(throws: JSONDecodingError.self) { try Value(jsonString: "nul") }
  }

  @Test func allTypesRoundTripInOneMessage() throws {
    let message = WellKnown(
      time: Timestamp(seconds: 1), duration: WireDuration(seconds: 2),
      mask: FieldMask(paths: ["a_b"]), any: AnyMessage(packing: Empty()),
      struct: Struct(fields: ["k": Value(kind: .nullValue(.nullValue))]),
      value: Value(kind: .nullValue(.nullValue)), list: ListValue(values: []), double: 0, float: 1,
      int64: 0, uint64: 2, int32: 0, uint32: 3, bool: false, string: "", bytes: [],
      times: [Timestamp()])
    let text = """
      {"time":"1970-01-01T00:00:01Z","duration":"2s","mask":"aB",\
      "any":{"@type":"type.googleapis.com/google.protobuf.Empty"},"struct":{"k":null},\
      "value":null,"list":[],"double":0.0,"float":1.0,"int64":"0","uint64":"2","int32":0,\
      "uint32":3,"bool":false,"string":"","bytes":"","times":["1970-01-01T00:00:00Z"]}
      """
    #expect(try message.jsonString() == text)
    #expect(try WellKnown(jsonString: text) == message)
    #expect(try WellKnown(serializedBytes: message.serializedBytes()) == message)
    // Null is a value only for google.protobuf.Value.
    let nulls = #"{"time":null,"value":null,"int32":null,"struct":null}"#
    #expect(
      try WellKnown(jsonString: nulls) == WellKnown(value: Value(kind: .nullValue(.nullValue))))
  }
}
