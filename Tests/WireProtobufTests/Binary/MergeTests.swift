import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct MergeTests {
  @Test func occurrencesOfASubMessageAreMerged() throws {
    let bytes = hex("22 02 18 01 22 05 18 02 72 01 61 22 00")
    #expect(try Optionals(serializedBytes: bytes).scalars == Scalars(int32: 2, string: "a"))
  }

  @Test func lastMemberOfAOneofWins() throws {
    #expect(try Choices(serializedBytes: hex("08 01 12 01 61")).choice == .text("a"))
    #expect(try Choices(serializedBytes: hex("12 01 61 08 00")).choice == .number(0))
    #expect(try Choices(serializedBytes: hex("08 01 28 01")).choice == .color(.red))
  }

  @Test func oneofMessagesAreMergedUnlessAnotherMemberWasSet() throws {
    let merged = try Choices(serializedBytes: hex("1A 02 18 01 1A 03 72 01 61"))
    #expect(merged.choice == .scalars(Scalars(int32: 1, string: "a")))
    let replaced = try Choices(serializedBytes: hex("1A 02 18 01 08 05 1A 03 72 01 61"))
    #expect(replaced.choice == .scalars(Scalars(string: "a")))
  }

  @Test func oneofsWriteDefaultValues() throws {
    for choice: Choices.Choice in [
      .number(0), .text(""), .scalars(Scalars()), .point(Point()), .color(.unspecified),
      .null(.nullValue),
    ] {
      let message = Choices(choice: choice, after: "z")
      #expect(message.serializedBytes().count == 5)
      #expect(try Choices(serializedBytes: message.serializedBytes()) == message)
    }
  }

  @Test func wrongWireTypeKeepsTheOneof() throws {
    let message = try Choices(serializedBytes: hex("08 01 10 05"))
    #expect(message.choice == .number(1))
    #expect(message.unknownFields.bytes == hex("10 05"))
    let ofItsMessage = try Choices(serializedBytes: hex("1A 02 18 01 18 05"))
    #expect(ofItsMessage.choice == .scalars(Scalars(int32: 1)))
    #expect(ofItsMessage.unknownFields.bytes == hex("18 05"))
  }

  @Test func recursiveMessagesRoundTrip() throws {
    var tree = Tree(name: "leaf")
    for depth in 0..<50 {
      tree = Tree(name: "\(depth)", left: tree, others: [Tree(name: "x")], more: .right(tree))
      if depth > 3 { tree.more = nil }
    }
    let bytes = tree.serializedBytes()
    #expect(try Tree(serializedBytes: bytes) == tree)
    #expect(tree.left?.left?.name == "47")
  }

  // MARK: Two messages

  @Test func mergesOneMessageIntoAnother() {
    var message = Optionals(number: 1, text: "a", scalars: Scalars(int32: 1, string: "a"))
    message.merge(from: Optionals(number: 0, scalars: Scalars(string: "b"), point: Point(x: 1)))
    #expect(
      message
        == Optionals(
          number: 0, text: "a", scalars: Scalars(int32: 1, string: "b"), point: Point(x: 1)))
  }

  @Test func mergesRepeatedFieldsMapsAndUnknownFields() throws {
    var message = Repeated(strings: ["a"], points: [Point(x: 1)])
    message.merge(from: Repeated(strings: ["b"], points: [Point(), Point(y: 2)]))
    #expect(
      message == Repeated(strings: ["a", "b"], points: [Point(x: 1), Point(), Point(y: 2)]))

    var maps = Maps(counts: ["a": 1, "b": 2])
    maps.merge(from: Maps(counts: ["b": 3, "c": 4]))
    #expect(maps == Maps(counts: ["a": 1, "b": 3, "c": 4]))

    var unknown = try Optionals(serializedBytes: hex("2A 03 A006 01 A006 02"))
    unknown.merge(from: try Optionals(serializedBytes: hex("2A 03 A006 03 A006 04")))
    #expect(unknown.serializedBytes() == hex("2A 06 A006 01 A006 03 A006 02 A006 04"))
  }

  @Test func unknownFieldsOfALeafMessageGoWithItsValue() throws {
    let before = try Maps(serializedBytes: hex("22 07 08 0A 12 03 A006 05"))
    let other = Maps(points: [5: Point(x: 1)])
    var merged = before
    merged.merge(from: other)
    #expect(merged == other)
    merged = before
    try merged.merge(serializedBytes: other.serializedBytes())
    #expect(merged == other)
    merged = before
    try merged.merge(from: other, fieldMask: FieldMask("points"))
    #expect(merged == other)

    var choice = try Choices(serializedBytes: hex("22 03 A006 05"))
    choice.merge(from: Choices(choice: .number(1)))
    #expect(choice == Choices(choice: .number(1)))
  }

  @Test func mergingIgnoresDecodingLimits() {
    var deep = Tree()
    for _ in 0..<300 { deep = Tree(left: deep) }
    var tree = Tree(name: "a")
    tree.merge(from: deep)
    #expect(tree.left == deep.left)

    // Elements that take 2 bytes on the wire and much more in memory.
    let many = Repeated(scalars: Array(repeating: Scalars(), count: 200_000))
    #expect(throws: DecodingError.self) { try Repeated(serializedBytes: many.serializedBytes()) }
    var merged = Repeated()
    merged.merge(from: many)
    #expect(merged.scalars.count == 200_000)
  }
}
