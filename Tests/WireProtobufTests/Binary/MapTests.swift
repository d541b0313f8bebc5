import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct MapTests {
  static let full = Maps(
    counts: ["b": 2, "a": 0, "": 1, "é": 3], names: [-1: "minus", 0: "", 7: "seven"],
    flags: [true: [1], false: []], points: [-5: Point(x: 1, y: 2), 3: Point()],
    scalars: ["k": Scalars(int32: 1, string: "s"), "l": Scalars()], colors: ["c": .unrecognized(9)])

  @Test func mapsRoundTrip() throws {
    let bytes = Self.full.serializedBytes()
    #expect(try Maps(serializedBytes: bytes) == Self.full)
  }

  @Test func outputIsOrderedByKey() {
    #expect(
      Maps(counts: ["b": 2, "a": 0, "": 1]).serializedBytes()
        == hex("0A 04 0A00 10 01  0A 05 0A 01 61 10 00  0A 05 0A 01 62 10 02"))
    #expect(
      Maps(names: [7: "", -1: "m"]).serializedBytes()
        == hex("12 0E 08 FFFFFFFFFFFFFFFFFF01 12 01 6D  12 04 08 07 12 00"))
    #expect(
      Maps(flags: [true: [1], false: []]).serializedBytes()
        == hex("1A 04 08 00 12 00 1A 05 08 01 12 01 01"))
  }

  @Test func missingKeyAndValueAreDefaults() throws {
    #expect(try Maps(serializedBytes: hex("0A 00")).counts == ["": 0])
    #expect(try Maps(serializedBytes: hex("0A 02 10 05")).counts == ["": 5])
    #expect(try Maps(serializedBytes: hex("2A 03 0A 01 6B")).scalars == ["k": Scalars()])
  }

  @Test func lastEntryOfAKeyWins() throws {
    // The value precedes the key and occurs twice.
    let bytes = hex("0A 05 0A 01 61 10 01  0A 07 10 07 10 02 0A 01 61")
    #expect(try Maps(serializedBytes: bytes).counts == ["a": 2])
  }

  @Test func messagesInOneEntryAreMerged() throws {
    let entry = hex("2A 0C 12 02 18 01 0A 01 6B 12 03 72 01 61")
    #expect(
      try Maps(serializedBytes: entry).scalars == ["k": Scalars(int32: 1, string: "a")])
    let unknown = try Maps(serializedBytes: hex("22 0A 12 03 A006 05 12 03 A006 06"))
    #expect(unknown.serializedBytes() == hex("22 0A 08 00 12 06 A006 05 A006 06"))
  }

  @Test func otherFieldsOfAnEntryAreDropped() throws {
    #expect(try Maps(serializedBytes: hex("0A 07 0A 01 61 18 09 10 01")).counts == ["a": 1])
  }
}
