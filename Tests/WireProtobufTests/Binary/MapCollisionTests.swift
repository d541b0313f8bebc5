import TestSupport
import Testing

@testable import WireProtobuf

/// Keys that are equal in Swift but differ in bytes, so protobuf considers them different: é as one
/// code point and as two.
@Suite struct MapCollisionTests {
  static let one = hex("0A 06 0A 02 C3A9 10 01")
  static let two = hex("0A 07 0A 03 65CC81 10 02")

  @Test func bothEntriesAreWrittenBack() throws {
    let first = try Maps(serializedBytes: Self.one + Self.two)
    #expect(first.counts == ["\u{E9}": 1] && first.unknownFields.bytes == Self.two)
    #expect(first.serializedBytes() == Self.one + Self.two)
    let second = try Maps(serializedBytes: Self.two + Self.one)
    #expect(second.counts == ["e\u{301}": 2] && second.unknownFields.bytes == Self.one)
    #expect(second.serializedBytes() == Self.two + Self.one)
    #expect(first != second)
  }

  @Test func equalBytesReplaceTheEntry() throws {
    let again = hex("0A 06 0A 02 C3A9 10 03")
    #expect(
      try Maps(serializedBytes: Self.one + Self.two + again).serializedBytes() == again + Self.two)
  }

  @Test func collidingEntriesAreNotCountedAsUnknown() throws {
    var count = 0
    var message = try Maps(serializedBytes: Self.one + Self.two, unknownFieldCount: &count)
    #expect(count == 0)
    message.discardUnknownFields()
    #expect(message.serializedBytes() == Self.one + Self.two)
    var other = try Maps(serializedBytes: Self.one)
    other.merge(from: try Maps(serializedBytes: Self.two))
    #expect(other.serializedBytes() == Self.one + Self.two)
  }

  @Test func asciiKeyCanCollide() throws {
    // K and the Kelvin sign, U+212A.
    let bytes = hex("0A 05 0A 01 4B 10 01  0A 07 0A 03 E284AA 10 02")
    #expect(try Maps(serializedBytes: bytes).serializedBytes() == bytes)
  }

  @Test func entriesWithMessagesAreWrittenBack() throws {
    // The value of the first entry has an unknown field.
    let bytes = hex("2A 0B 0A 02 C3A9 12 05 18 01 F80101  2A 09 0A 03 65CC81 12 02 18 02")
    #expect(try Maps(serializedBytes: bytes).serializedBytes() == bytes)
    let swapped = Array(bytes[13...] + bytes[..<13])
    #expect(try Maps(serializedBytes: swapped).serializedBytes() == swapped)
  }

  /// Swift would take seconds to hash such a key, and hours for a longer one.
  @Test func keyOfManyCombiningMarksIsRejected() throws {
    func key(_ count: Int) -> Maps {
      Maps(counts: ["e" + String(repeating: "\u{301}\u{323}", count: count): 1])
    }
    let short = key(600)
    #expect(try Maps(serializedBytes: short.serializedBytes()) == short)
    #expect(try Maps(jsonString: short.jsonString()) == short)
    var long = key(1_000)
    let error = #expect(throws: DecodingError.self) {
      try Maps(serializedBytes: long.serializedBytes())
    }
    #expect(error?.reason == .tooMuchMemory)
    let jsonError = #expect(throws: JSONDecodingError.self) {
      try Maps(jsonString: long.jsonString())
    }
    #expect(jsonError?.reason == .tooMuchMemory)
    // The limits do not apply to messages in memory.
    let before = long
    long.merge(from: before)
    #expect(long == before)
  }

  @Test func entriesOfStructsAreWrittenBack() throws {
    let value = try Struct(
      serializedBytes: hex("0A 08 0A 02 C3A9 12 02 20 01  0A 09 0A 03 65CC81 12 02 20 00"))
    #expect(value.fields == ["\u{E9}": Value(kind: .boolValue(true))])
    #expect(
      value.serializedBytes()
        == hex("0A 08 0A 02 C3A9 12 02 20 01  0A 09 0A 03 65CC81 12 02 20 00"))
  }

  @Test func jsonContainsBothEntries() throws {
    let text = "{\"counts\":{\"e\u{301}\":2,\"f\":3,\"\u{E9}\":1}}"
    let message = try Maps(serializedBytes: Self.one + hex("0A 05 0A 01 66 10 03") + Self.two)
    #expect(Array(try message.jsonString().utf8) == Array(text.utf8))
    let read = try Maps(jsonString: text)
    #expect(read.unknownFields.bytes == Self.one)
    #expect(Array(try read.jsonString().utf8) == Array(text.utf8))
    #expect(throws: JSONDecodingError.self) {
      try Maps(jsonString: "{\"counts\":{\"e\u{301}\":2,\"\u{E9}\":\"x\"}}")
    }
  }

  @Test func jsonContainsTheLastEntryOfEachKey() throws {
    let again = Self.two.dropLast() + [5]
    let message = try Maps(serializedBytes: Self.one + Self.two + again)
    let text = "{\"counts\":{\"e\u{301}\":5,\"\u{E9}\":1}}"
    #expect(Array(try message.jsonString().utf8) == Array(text.utf8))
  }

  @Test func jsonOfMessagesContainsBothEntries() throws {
    let text = "{\"scalars\":{\"e\u{301}\":{\"int32\":1},\"\u{E9}\":{\"string\":\"x\"}}}"
    #expect(Array(try Maps(jsonString: text).jsonString().utf8) == Array(text.utf8))
  }

  @Test func jsonOfStructsContainsBothEntries() throws {
    let text = "{\"a\":{\"e\u{301}\":2.0,\"\u{E9}\":null},\"e\u{301}\":1.0,\"\u{E9}\":[]}"
    let message = try Struct(jsonString: text)
    #expect(Array(try message.jsonString().utf8) == Array(text.utf8))
    let binary = try Struct(serializedBytes: message.serializedBytes())
    #expect(Array(try binary.jsonString().utf8) == Array(text.utf8))
  }
}
