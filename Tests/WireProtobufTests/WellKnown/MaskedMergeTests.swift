import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct MaskedMergeTests {
  static let before = Optionals(
    number: 1, text: "old", scalars: Scalars(int32: 1, string: "kept"), span: Span(start: 1))
  static let after = Optionals(
    number: 2, color: .red, scalars: Scalars(int32: 2, bool: true), point: Point(x: 1))

  static func merged(_ mask: String, _ options: FieldMask.MergeOptions = .init()) throws
    -> Optionals
  {
    var message = before
    try message.merge(from: after, fieldMask: FieldMask(mask), options: options)
    return message
  }

  @Test func onlyNamedFieldsAreMerged() throws {
    var expected = Self.before
    expected.number = 2
    expected.color = .red
    #expect(try Self.merged("number,color") == expected)
    #expect(try Self.merged("") == Self.before)
  }

  @Test func unsetSourceFieldsAreCleared() throws {
    #expect(try Self.merged("text").text == nil)
    // A path into an unset message changes nothing.
    #expect(try Self.merged("span.start").span == Span(start: 1))
  }

  @Test func mergesFieldsOfSubMessages() throws {
    #expect(
      try Self.merged("scalars.int32").scalars == Scalars(int32: 2, string: "kept"))
    #expect(try Self.merged("scalars.string").scalars == Scalars(int32: 1))
    #expect(try Self.merged("point.y").point == Point())
  }

  @Test func messagesAreMergedOrReplaced() throws {
    #expect(
      try Self.merged("scalars").scalars == Scalars(int32: 2, bool: true, string: "kept"))
    #expect(try Self.merged("scalars", .replace).scalars == Self.after.scalars)
    #expect(try Self.merged("span", .replace).span == nil)
  }

  @Test func repeatedFieldsAreAppendedOrReplaced() throws {
    var message = Repeated(int32s: [1], points: [Point(x: 1)])
    let other = Repeated(int32s: [2], points: [Point(x: 2)])
    try message.merge(from: other, fieldMask: FieldMask("int32s"))
    #expect(message == Repeated(int32s: [1, 2], points: [Point(x: 1)]))
    try message.merge(from: other, fieldMask: FieldMask("points"), options: .replace)
    #expect(message == Repeated(int32s: [1, 2], points: [Point(x: 2)]))
  }

  @Test func oneofTakesTheMergedMember() throws {
    var message = Choices(choice: .number(1), after: "a")
    let other = Choices(choice: .scalars(Scalars(int32: 5, string: "b")), after: "c")
    try message.merge(from: other, fieldMask: FieldMask("scalars.int32"))
    #expect(message == Choices(choice: .scalars(Scalars(int32: 5)), after: "a"))
    try message.merge(from: Choices(), fieldMask: FieldMask("number"))
    #expect(message.hasScalars)
  }

  @Test func invalidMaskChangesNothing() {
    var message = Self.before
    #expect(throws: FieldMaskError.self) {
      try message.merge(from: Self.after, fieldMask: FieldMask("number,nope"))
    }
    #expect(throws: FieldMaskError.self) { try message.trim(keeping: FieldMask("nope")) }
    #expect(message == Self.before)
  }

  @Test func trimKeepsNamedFields() throws {
    var message = Self.before
    try message.merge(serializedBytes: hex("A006 05"))
    try message.trim(keeping: FieldMask())
    #expect(!message.unknownFields.isEmpty)
    try message.trim(keeping: FieldMask("scalars.string,number,point"))
    #expect(message == Optionals(number: 1, scalars: Scalars(string: "kept")))
  }

  // MARK: Unknown fields

  @Test func unknownFieldsAreMergedWithTheirMessage() throws {
    var message = try Optionals(serializedBytes: hex("22 03 A006 01 2A 03 A006 02 A006 03"))
    let other = try Optionals(serializedBytes: hex("22 03 A006 04 2A 03 A006 05 A006 06"))
    try message.merge(from: other, fieldMask: FieldMask("scalars.int32,point"))
    #expect(message.serializedBytes() == hex("22 03 A006 01 2A 06 A006 02 A006 05 A006 03"))
    try message.merge(from: other, fieldMask: FieldMask("scalars,point"), options: .replace)
    #expect(message.serializedBytes() == hex("22 03 A006 04 2A 03 A006 05 A006 03"))
  }

  // MARK: Changes

  @Test func changesBecomeAMask() throws {
    let mask = FieldMask(changesFrom: Self.before, to: Self.after)
    #expect(
      mask == FieldMask("number,text,color,scalars.int32,scalars.bool,scalars.string,point,span"))
    #expect(FieldMask(changesFrom: Self.before, to: Self.before) == FieldMask())
    #expect(try Self.merged(mask.paths.joined(separator: ","), .replace) == Self.after)
  }

  @Test func wellKnownTypesAreOneValue() {
    let before = WellKnown(
      time: Timestamp(seconds: 1), any: AnyMessage(packing: Point()), int32: 1)
    let after = WellKnown(
      time: Timestamp(seconds: 2), any: AnyMessage(packing: Point(x: 1)), int32: 2)
    #expect(FieldMask(changesFrom: before, to: after) == FieldMask("time,any,int32"))
  }

  @Test func repeatedFieldsAndMapsChangeAsAWhole() {
    let mask = FieldMask(
      changesFrom: Repeated(int32s: [1], scalars: [Scalars(int32: 1)]),
      to: Repeated(int32s: [1], scalars: [Scalars(int32: 2)]))
    #expect(mask == FieldMask("scalars"))
    #expect(
      FieldMask(changesFrom: Maps(counts: ["a": 1]), to: Maps(counts: ["a": 2]))
        == FieldMask("counts"))
  }

  /// Equal records before and after the difference, and values whose ends are alike.
  @Test func masksNameExactlyTheDifferentFields() {
    let texts = ["", "a", "ba", "\u{7}a", "aaaaaaaaaaa", "baaaaaaaaaa"]
    var lists: [[String]] = [[]] + texts.map { [$0] }
    for first in texts { lists += texts.map { [first, $0] } }
    let messages = lists.flatMap { list in
      [Repeated(strings: list, unpacked: [1, 1]), Repeated(strings: list, unpacked: [1])]
    }
    for before in messages {
      for after in messages {
        var expected: [String] = []
        if before.strings != after.strings { expected.append("strings") }
        if before.unpacked != after.unpacked { expected.append("unpacked") }
        #expect(FieldMask(changesFrom: before, to: after).paths == expected)
      }
    }
  }

  @Test func unknownFieldsOfASubMessageAreAChange() throws {
    let after = try Optionals(serializedBytes: hex("22 03 A006 04 A006 06"))
    let mask = FieldMask(changesFrom: Optionals(scalars: Scalars()), to: after)
    #expect(mask == FieldMask("scalars"))
  }
}
