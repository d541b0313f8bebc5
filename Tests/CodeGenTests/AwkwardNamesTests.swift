import Testing
import WireProtobuf

/// Generated code for awkward.proto, whose names collide with Swift and with generated names.
@Suite struct AwkwardNamesTests {
  /// Encodes and decodes a message in both formats and compares the result.
  static func roundTrip<M: Message>(_ message: M, _ source: SourceLocation = #_sourceLocation) {
    do {
      let binary = try M(serializedBytes: message.serializedBytes())
      #expect(binary == message, sourceLocation: source)
      let json = try M(jsonString: message.jsonString())
      #expect(json == message, sourceLocation: source)
    } catch {
      Issue.record(error, sourceLocation: source)
    }
  }

  @Test func everyFieldIsDecodedIntoItsProperty() throws {
    // Each field holds its own number.
    let others: [Int] = [31, 32, 33]
    var bytes: [UInt8] = []
    for number in Fields.fields.fields.map(\.number) where !others.contains(number) {
      let tag = number << 3
      bytes += tag < 128 ? [UInt8(tag)] : [UInt8(tag & 127 | 128), UInt8(tag >> 7)]
      bytes.append(UInt8(number))
    }
    var message = try Fields(serializedBytes: bytes)
    #expect(message.unknownFields.isEmpty && message.serializedBytes() == bytes)
    #expect(message.selfField == 1 && message.initField == 2 && message.class == 3)
    #expect(message.type == 4 && message.hashValueField == 6 && message.unknownFieldsField == 7)
    #expect(message.decoder == 8 && message.visitor == 9 && message.number == 10)
    #expect(message.fields == 11 && message.value == 14 && message.fillsRecord == 71)
    #expect(Fields.messageName == "tripwire.awkward.Fields" && message.messageName == 12)
    message.serializedBytesField = [1]
    message.jsonUTF8BytesField = [2]
    message.jsonStringField = "3"
    Self.roundTrip(message)
    for field in Fields.fields.fields where !others.contains(field.number) {
      let text = try message.jsonString()
      #expect(text.contains(#""\#(field.jsonName)":\#(field.number)"#))
    }
  }

  @Test func presenceAccessorsMayCollideWithFields() {
    var message = Presences(
      x: 0, hasX: false, clearX: true, kind: .hasKind(""), set: 0, willSet: .didSet(0))
    #expect(message.hasSet && message.hasDidSet && !message.hasGet && message.get == nil)
    #expect(message.hasXFieldField && message.hasHasX && message.hasHasKind)
    #expect(message.hasX == false && message.clearX && message.xField == nil)
    Self.roundTrip(message)
    message.clearXFieldField()
    #expect(message.x == nil)
  }

  @Test func fieldMayBeNamedLikeAnInitializer() throws {
    let message = SerializedBytes(serializedBytesField: [1])
    #expect(message.serializedBytes() == [10, 1, 1])
    #expect(try SerializedBytes(serializedBytes: [10, 1, 1]) == message)
  }

  @Test func fieldMayBeNamedLikeAnAccessor() {
    var message = Accessors(accessor: .get(1), borrow: 0)
    #expect(message.hasGet && message.get == 1 && !message.hasSet && message.hasBorrow)
    message.set = 2
    message.clearBorrow()
    #expect(!message.hasGet && message.hasSet && !message.hasBorrow)
    #expect(!message.hasUnsafeMutableAddress && !message.hasUnsafeAddress)
    Self.roundTrip(message)
  }

  @Test func namesMayHaveUnderscoresAndDigits() throws {
    let text =
      #"{"":1,"Leading":3,"trailing":4,"inBetween":6,"inBetweenTwo":7,"2nd":8,"field2":9,"#
      + #""field29":11,"SHOUTEDNAME":12,"mIxEdNAME":13,"a1b2":"x"}"#
    let message = try Underscores(jsonString: text)
    #expect(
      message
        == Underscores(
          underscore: 1, leading: 3, trailing: 4, inBetween: 6, inBetween2: 7, _2nd: 8, field2: 9,
          field29: 11, shoutedName: 12, mIxEdName: 13, a1b2: "x"))
    #expect(try message.jsonString() == text)
    Self.roundTrip(message)
  }

  @Test func leafMessagesRoundTrip() {
    Self.roundTrip(
      Record(
        decoder: 1, get: 2, number: 3, bytes: 4, record: 5, fillsRecord: 6, recordSize: 7,
        isRecord: 8, selfField: 9, hashValueField: 10, default: 11))
    Self.roundTrip(Plain(visitor: 0, unknownFieldsField: false, value: .dark))
  }

  @Test func jsonNamesAreEscaped() throws {
    let text =
      #"{"a\"b":1,"a\\b":2,"a\nb":3,"\\(x)":4,"é":5,"":6,"@type":7,"other":8,"exchanged":9}"#
    let message = JSONNames(
      quote: 1, backslash: 2, newline: 3, interpolation: 4, accent: 5, empty: 6, type: 7,
      exchanged: 8, other: 9)
    #expect(try message.jsonString() == text)
    #expect(try JSONNames(jsonString: text) == message)
    // With any escapes, and by their names in the .proto file.
    #expect(try JSONNames(jsonString: #"{"a\u0022b":1,"\u0061\u005cb":2}"#).backslash == 2)
    #expect(try JSONNames(jsonString: #"{"quote":1,"backslash":2}"#).backslash == 2)
    #expect(throws: JSONDecodingError.self) { try JSONNames(jsonString: #"{"a\b":2}"#) }
    // The same letter in decomposed form is another name.
    #expect(throws: JSONDecodingError.self) { try JSONNames(jsonString: #"{"e\u0301":5}"#) }
  }

  @Test func oneofsRoundTrip() throws {
    for value: Oneofs.ValueOneOf in [
      .noneField(1), .someField(""), .number(Record(decoder: 1)), .selfField(0), .default(2),
      .hashValueField(3),
    ] {
      Self.roundTrip(
        Oneofs(
          value: value, kind: .other(0), kindOneOfOneOf: .again(Oneofs(type: .decoder(1))),
          type: .decoder(0), string: .text(""), unknownFieldsOneOf: .visitor(0),
          choice: .kindOneOf(0), timestamp: .time(Timestamp(seconds: 1)),
          choices: Oneofs.Choice(x: 1)))
    }
  }

  @Test func casesMayBeNamedNoneAndSome() {
    var message = Oneofs(value: .noneField(1))
    message.value = .none
    #expect(message.value == nil && message.noneField == nil && message.someField == nil)
    let value: Enums.Values? = .noneValue
    #expect(value != nil && value?.name == "NONE" && Enums.Values.someValue.name == "SOME")
    // Fields outside of a oneof keep these names.
    #expect(Fields(none: 1, some: 2).none == 1)
  }

  @Test func typesMayBeNamedLikeSwiftTypes() {
    Self.roundTrip(
      MessageMessage(
        string: StringMessageMessage(string: "a"), int32: Int32Message(int32: 1),
        optional: [OptionalMessage(int32: 0)], array: ["b": ArrayMessage(int32: [2])],
        swift: SwiftMessage(swift: true), wireReader: WireReaderMessage(reader: [3]),
        d: DMessage(d: 4), v: .v1, timestamp: TimestampMessage(text: "c"),
        time: Timestamp(seconds: 5), value: Value(kind: .numberValue(6)), type: .noneValue,
        lower: Lower(lower: 7), underscore: Underscore(x: 8),
        wireProtobuf: WireProtobuf(reader: [9])))
    #expect(StringMessage.messageName == "tripwire.awkward.StringMessage")
    #expect(StringMessageMessage.messageName == "tripwire.awkward.String")
  }

  @Test func nestedTypesDoNotHideOtherTypes() {
    Self.roundTrip(
      Outer(
        outer: Outer.OuterMessage(x: 1), timestamp: Outer.TimestampMessageMessage(x: 2),
        time: Timestamp(seconds: 3), shade: .dark,
        value: Outer.ValueMessage(
          outer: Outer.ValueMessage.OuterMessage(text: "a"), top: Outer(shade: .dark),
          shade: Outer.ShadeMessage(x: 4), google: Value(kind: .boolValue(true))),
        google: Value(kind: .stringValue("b")), it: Outer.SelfMessage(x: 5)))
  }

  @Test func enumsRoundTrip() {
    #expect(Enums.Values.allCases.count == 22)
    for value in Enums.Values.allCases {
      let name = value.name ?? ""
      #expect(Enums.Values(name: name) == value && Enums.Values(rawValue: value.rawValue) == value)
      Self.roundTrip(
        Enums(
          shade: .dark, values: value, collisions: [.collisionOther, .collisionNone], v: .v1,
          map: ["a": value]))
    }
    #expect(Enums.Values(name: "NAME_") == Enums.Values(name: "name_"))
    #expect(Enums.Collision.other == .collisionOther && Enums.Collision.oTHER == .other)
    #expect(Enums.Values.lowest.rawValue == .min && Enums.Values.highest.rawValue == .max)
  }
}
