import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct UnknownFieldsTests {
  /// Varint, fixed64, bytes, fixed32 and a group with a group, as the fields 100 to 104.
  static let every = hex(
    "A006 05  A906 0102030405060708  B206 02 6869  BD06 01020304"
      + "C306 0801 CB06 1203616263 CC06 C406")

  @Test func everyWireTypeIsKeptInOrder() throws {
    var count = 0
    let message = try Scalars(serializedBytes: Self.every, unknownFieldCount: &count)
    #expect(message.unknownFields.bytes == Self.every)
    #expect(message.serializedBytes() == Self.every)
    // The fields of groups are counted, too.
    #expect(count == 8)
  }

  @Test func unknownFieldsFollowKnownFields() throws {
    let message = try Scalars(serializedBytes: Self.every + hex("18 01"))
    #expect(message.int32 == 1)
    #expect(message.serializedBytes() == hex("18 01") + Self.every)
  }

  @Test func wrongWireTypesAreUnknown() throws {
    let bytes = hex("1A 01 00 70 05 0D 01000000")
    let message = try Scalars(serializedBytes: bytes)
    #expect(message.unknownFields.bytes == bytes)
    #expect(message != Scalars())
  }

  @Test func subMessagesKeepThem() throws {
    let bytes = hex("22 05 18 01 A006 05 A006 06")
    let message = try Optionals(serializedBytes: bytes)
    #expect(message.scalars?.unknownFields.bytes == hex("A006 05"))
    #expect(message.unknownFields.bytes == hex("A006 06"))
    #expect(message.serializedBytes() == bytes)
  }

  // MARK: Leaf messages

  @Test func leafMessagesKeepThem() throws {
    var count = 0
    let bytes = hex("2A 0C 09 000000000000F03F A006 05 32 05 08 01 A006 06")
    let message = try Optionals(serializedBytes: bytes, unknownFieldCount: &count)
    #expect(message.point == Point(x: 1))
    #expect(message.unknownFields.bytes == [])
    #expect(message.serializedBytes() == bytes)
    #expect(count == 2)
  }

  @Test func changedLeafMessageDropsThem() throws {
    var message = try Optionals(serializedBytes: hex("2A 0C 09 000000000000F03F A006 05"))
    message.text = "new"
    #expect(message.serializedBytes() == hex("12 03 6E6577 2A 0C 09 000000000000F03F A006 05"))
    message.point?.x = 2
    #expect(message.serializedBytes() == hex("12 03 6E6577 2A 09 09 0000000000000040"))
    message.merge(from: Optionals(point: Point(x: 2)))
    #expect(message.serializedBytes() == hex("12 03 6E6577 2A 09 09 0000000000000040"))
    message.point = nil
    #expect(message.serializedBytes() == hex("12 03 6E6577"))
  }

  @Test func movedElementsKeepThem() throws {
    let (one, two) = (hex("62 05 08 01 A006 05"), hex("62 05 08 02 A006 06"))
    let (three, twoAgain) = (hex("62 02 08 03"), hex("62 02 08 02"))
    let original = try Repeated(serializedBytes: one + two + three)

    var message = original
    message.spans.reverse()
    #expect(message.serializedBytes() == three + two + one)
    message.spans.removeFirst()
    #expect(message.serializedBytes() == two + one)
    message.spans.insert(Span(start: 3), at: 1)
    #expect(message.serializedBytes() == two + three + one)
    message.spans[0].start = 3
    #expect(message.serializedBytes() == three + three + one)

    // Among equal elements, the one at the old index keeps them, otherwise the first one.
    message = original
    message.spans.append(Span(start: 2))
    #expect(message.serializedBytes() == one + two + three + twoAgain)
    message.spans.removeFirst()
    #expect(message.serializedBytes() == two + three + twoAgain)
    let equal = try Repeated(serializedBytes: twoAgain + two + twoAgain)
    #expect(equal.serializedBytes() == twoAgain + two + twoAgain)
  }

  @Test func runsOfLeafMessagesKeepThem() throws {
    let bytes =
      RecordTests.point(1, 2) + hex("5A 0C 09 000000000000F03F A006 05")
      + hex("5A 03 A006 06") + RecordTests.point(3, 4) + hex("62 05 08 01 A006 07 62 00")
    var message = try Repeated(serializedBytes: bytes)
    #expect(message.points.count == 4)
    #expect(message.serializedBytes() == bytes)
    message.points[1].x = 9
    #expect(message.serializedBytes().count == bytes.count - 3)
    // Unchanged elements keep theirs after an append.
    message.points.append(Point(x: 5, y: 6))
    #expect(message.serializedBytes().count == bytes.count + 20 - 3)
    // New elements have none.
    message.points = [Point(x: 1, y: 2), Point(x: 1, y: 2)]
    #expect(
      Array(message.serializedBytes()[..<40]) == RecordTests.point(1, 2) + RecordTests.point(1, 2))
  }

  @Test func wrappersKeepThem() throws {
    let bytes = hex("62 05 08 07 A006 05 7A 06 0A 01 61 A006 06")
    var message = try WellKnown(serializedBytes: bytes)
    #expect(message.int32 == 7 && message.string == "a")
    #expect(message.serializedBytes() == bytes)
    message.int32 = 0
    #expect(message.serializedBytes() == hex("62 00 7A 06 0A 01 61 A006 06"))
  }

  @Test func mapsAndOneofsKeepThem() throws {
    let bytes = hex("22 10 08 09 12 0C 09 000000000000F03F A006 05 22 07 08 0C 12 03 A006 06")
    #expect(try Maps(serializedBytes: bytes).serializedBytes() == bytes)
    let choice = hex("22 03 A006 05")
    #expect(try Choices(serializedBytes: choice).serializedBytes() == choice)
  }

  @Test func occurrencesAreJoined() throws {
    let message = try Optionals(serializedBytes: hex("2A 03 A006 05 2A 03 A006 06"))
    #expect(message.serializedBytes() == hex("2A 06 A006 05 A006 06"))
  }

  @Test func messagesThatDifferInThemAreUnequal() throws {
    let with = try Optionals(serializedBytes: hex("2A 03 A006 05"))
    let without = try Optionals(serializedBytes: hex("2A 00"))
    #expect(with != without)
    #expect(with.point == without.point)
    #expect(try with == Optionals(serializedBytes: hex("2A 03 A006 05")))
  }

  // MARK: Merging and replacing

  /// Expects that the message and its hash are equal after a round trip, and that the output is
  /// `written`.
  static func expectStable<M: Message>(
    _ type: M.Type, _ bytes: String, _ written: String, _ comment: Comment
  ) throws {
    let first = try M(serializedBytes: hex(bytes))
    let second = try M(serializedBytes: first.serializedBytes())
    #expect(first.serializedBytes() == hex(written), comment)
    #expect(first == second, comment)
    #expect(first.hashValue == second.hashValue, comment)
  }

  @Test func roundTripsAreStable() throws {
    try Self.expectStable(
      Optionals.self, "2A 03 A006 05 2A 09 09 000000000000F03F",
      "2A 0C 09 000000000000F03F A006 05", "a later occurrence without any")
    try Self.expectStable(
      Repeated.self, "62 02 0801 72 03 A006 05 62 02 0802", "62 02 0801 62 02 0802 72 03 A006 05",
      "elements of two fields, one with some")
    try Self.expectStable(
      Repeated.self, "62 03 A006 05 62 00 5A 03 A006 06 62 00",
      "5A 03 A006 06 62 03 A006 05 62 00 62 00", "elements of two fields, both with some")
    try Self.expectStable(
      WellKnown.self, "62 03 A006 05 62 02 08 07 62 03 A006 06", "62 08 08 07 A006 05 A006 06",
      "wrappers")
  }

  @Test func replacedOneofMemberDropsThem() throws {
    try Self.expectStable(Choices.self, "22 03 A006 05 08 01", "08 01", "a number after a point")
    try Self.expectStable(
      Choices.self, "22 03 A006 05 08 01 22 00", "22 00", "and another point after that")
    try Self.expectStable(
      Choices.self, "22 03 A006 05 08 01 22 03 A006 06", "22 03 A006 06", "which has its own")
    try Self.expectStable(
      Choices.self, "22 03 A006 05 22 03 A006 06", "22 06 A006 05 A006 06", "one point in two")
    var message = try Choices(serializedBytes: hex("22 03 A006 05 08 01"))
    message.choice = .point(Point())
    #expect(message.serializedBytes() == hex("22 00"))
  }

  @Test func replacedMapEntryDropsThem() throws {
    try Self.expectStable(
      Maps.self, "22 07 08 0C 12 03 A006 06 22 04 08 0C 12 00", "22 04 08 0C 12 00",
      "a value without any after one with some")
    try Self.expectStable(
      Maps.self, "22 07 08 0C 12 03 A006 06 22 07 08 0C 12 03 A006 07",
      "22 07 08 0C 12 03 A006 07", "both with some")
  }

  @Test func overlongEncodingsAreKept() throws {
    // Tag, varint and length are longer than necessary.
    let bytes = hex("A08600 8500  B286808000 8200 6869")
    #expect(try Scalars(serializedBytes: bytes).serializedBytes() == bytes)
    let point = hex("2A 05 A08600 8500")
    #expect(try Optionals(serializedBytes: point).serializedBytes() == point)
  }

  @Test func largestFieldNumberIsKept() throws {
    // The largest field number, and the one after the message's last field.
    let bytes = hex("F8FFFFFF0F 01 FAFFFFFF0F 00 8801 05")
    #expect(try Scalars(serializedBytes: bytes).serializedBytes() == bytes)
  }

  @Test func knownFieldsOfAnotherTypeAreKept() throws {
    // A packed scalar, a group instead of a message, a number instead of a string.
    let bytes = hex("1A 02 01 02 23 0801 24 70 05 78 06")
    #expect(try Scalars(serializedBytes: bytes).serializedBytes() == bytes)
    let point = hex("2A 07 0A 00 11 00")
    #expect(throws: DecodingError.self) { try Optionals(serializedBytes: point) }
    let span = hex("32 04 0A 00 13 14")
    #expect(try Optionals(serializedBytes: span).serializedBytes() == span)
  }

  @Test func mergingDropsThoseOfReplacedValues() throws {
    var choice = try Choices(serializedBytes: hex("22 03 A006 05"))
    choice.merge(from: Choices(choice: .number(1)))
    choice.merge(from: Choices(choice: .point(Point())))
    #expect(choice.serializedBytes() == hex("22 00"))
    var spans = try Repeated(serializedBytes: hex("62 03 A006 05"))
    spans.merge(from: try Repeated(serializedBytes: hex("62 00 62 03 A006 06")))
    #expect(spans.serializedBytes() == hex("62 03 A006 05 62 00 62 03 A006 06"))
  }

  @Test func replacedMapValueDropsThem() throws {
    let bytes =
      hex("22 10 08 0A 12 0C 09 000000000000F03F A006 05 22 0D 08 0A 12 09 09 0000000000000040")
    let message = try Maps(serializedBytes: bytes)
    #expect(message.serializedBytes() == hex("22 0D 08 0A 12 09 09 0000000000000040"))
  }

  @Test func laterMapValueKeepsItsOwn() throws {
    let bytes = hex("22 07 08 0A 12 03 A006 05 22 07 08 0A 12 03 A006 06")
    #expect(
      try Maps(serializedBytes: bytes).serializedBytes() == hex("22 07 08 0A 12 03 A006 06"))
  }

  // MARK: At the root

  @Test func rootLeafMessageReturnsThem() throws {
    let bytes = hex("A006 05 09 000000000000F03F A206 01 61")
    var unknownFields = UnknownFields()
    let point = try Point(serializedBytes: bytes, unknownFields: &unknownFields)
    #expect(point == Point(x: 1))
    #expect(unknownFields.bytes == hex("A006 05 A206 01 61"))
    #expect(
      point.serializedBytes(unknownFields: unknownFields)
        == hex("09 000000000000F03F A006 05 A206 01 61"))

    var none = UnknownFields()
    #expect(try Point(serializedBytes: hex("09 000000000000F03F"), unknownFields: &none) == point)
    #expect(none.isEmpty)
  }

  @Test func unpackingALeafMessageReturnsThem() throws {
    let value = hex("08 01 A006 05")
    let any = AnyMessage(typeUrl: "type.googleapis.com/tripwire.test.Span", value: value)
    var unknownFields = UnknownFields()
    let span = try #require(try any.unpack(Span.self, unknownFields: &unknownFields))
    #expect(span == Span(start: 1))
    #expect(AnyMessage(packing: span, unknownFields: unknownFields) == any)
    #expect(try any.unpack(Point.self, unknownFields: &unknownFields) == nil)
  }

  // MARK: Inspecting and discarding

  @Test func fieldsHaveTypedValues() throws {
    let fields = try Scalars(serializedBytes: Self.every).unknownFields
    #expect(
      fields.fields.map(\.value) == [
        .varint(5), .fixed64(0x0807_0605_0403_0201), .lengthDelimited(hex("6869")),
        .fixed32(0x0403_0201), .group(hex("0801 CB06 1203616263 CC06")),
      ])
    #expect(fields.fields.map(\.number) == [100, 101, 102, 103, 104])
    #expect(fields.count == 5)
    #expect(
      fields.description
        == #"{100: 5, 101: 0x807060504030201, 102: "hi", 103: 0x4030201, "#
        + #"104: {1: 1, 105: {2: "abc"}}}"#)
  }

  @Test func descriptionContainsThoseOfLeafMessages() throws {
    let message = try Optionals(serializedBytes: hex("2A 03 A006 05 A206 02 00FF 32 03 A006 06"))
    #expect(message.unknownFields.count == 3)
    #expect("\(message.unknownFields)" == "{100: 0x00ff, 5.100: 5, 6.100: 6}")
    #expect("\(UnknownFields())" == "{}")
    #expect(UnknownFields().count == 0)
  }

  @Test func removeAllAppliesToOneMessage() throws {
    var message = try Optionals(serializedBytes: hex("22 03 A006 05 2A 03 A006 05 A006 06"))
    message.unknownFields.removeAll()
    #expect(message.unknownFields.isEmpty)
    #expect(message.serializedBytes() == hex("22 03 A006 05 2A 00"))
  }

  @Test func discardingAppliesToSubMessages() throws {
    let bytes = hex("22 05 18 01 A006 05 2A 03 A006 05 32 02 08 07 A006 06")
    var message = try Optionals(serializedBytes: bytes)
    message.discardUnknownFields()
    #expect(message.serializedBytes() == hex("22 02 18 01 2A 00 32 02 08 07"))
    let read = try Optionals(
      serializedBytes: bytes, options: DecodingOptions(discardUnknownFields: true))
    #expect(read == message)
    #expect(throws: DecodingError.self) {
      try Optionals(
        serializedBytes: hex("A206 05"), options: DecodingOptions(discardUnknownFields: true))
    }
  }
}
