import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct RepeatedTests {
  @Test func numbersAreWrittenPacked() {
    #expect(
      Repeated(int32s: [1, 300, -1]).serializedBytes() == hex("1A 0D 01 AC02 FFFFFFFFFFFFFFFFFF01"))
    #expect(Repeated(unpacked: [1, 2]).serializedBytes() == hex("50 01 50 02"))
    #expect(Repeated(int32s: []).serializedBytes() == [])
  }

  /// Packed, unpacked and split fields, for numbers of every size.
  @Test(arguments: [
    ("1A 02 01 02 18 03 1A 00 1A 01 04", Repeated(int32s: [1, 2, 3, 4])),
    ("0A 08 000000000000F03F 09 0000000000000040", Repeated(doubles: [1, 2])),
    ("12 08 0000803F 00000040", Repeated(floats: [1, 2])),
    ("22 02 01 02 20 03", Repeated(sint64s: [-1, 1, -2])),
    ("2D 01000000 2A 04 02000000", Repeated(fixed32s: [1, 2])),
    ("32 02 01 00 30 05", Repeated(bools: [true, false, true])),
    ("4A 02 05 07 48 01", Repeated(colors: [.blue, .unrecognized(7), .red])),
    ("52 02 01 02 50 03", Repeated(unpacked: [1, 2, 3])),
    ("3A 01 61 3A 00 42 01 FF", Repeated(strings: ["a", ""], bytes: [[255]])),
  ])
  func packedAndUnpackedAreRead(_ bytes: String, _ expected: Repeated) throws {
    #expect(try Repeated(serializedBytes: hex(bytes)) == expected)
    #expect(try Repeated(serializedBytes: expected.serializedBytes()) == expected)
  }

  @Test func packedValueBeyondTheEndIsRejected() {
    #expect(throws: DecodingError.self) { try Repeated(serializedBytes: hex("1A 01 80 01")) }
    #expect(throws: DecodingError.self) { try Repeated(serializedBytes: hex("2A 03 000000 00")) }
  }

  @Test func interleavedMessagesAreRead() throws {
    // Alternating elements of two fields, one with a tag of two bytes.
    let bytes = hex(
      "5A 09 09 000000000000F03F 6A 02 18 01 82FA01 09 11 0000000000000040 5A 00 6A 02 18 02"
        + "82FA01 12 09 000000000000F03F 11 0000000000000040")
    let message = try Repeated(serializedBytes: bytes)
    #expect(message.points == [Point(x: 1), Point()])
    #expect(message.farPoints == [Point(y: 2), Point(x: 1, y: 2)])
    #expect(message.scalars == [Scalars(int32: 1), Scalars(int32: 2)])
    #expect(try Repeated(serializedBytes: message.serializedBytes()) == message)
  }

  @Test func repeatedWrappersKeepZeros() throws {
    let message = Repeated(wrapped: [Int32Value(value: 0), Int32Value(value: 7)])
    #expect(message.serializedBytes() == hex("72 00 72 02 08 07"))
    #expect(try Repeated(serializedBytes: message.serializedBytes()) == message)
  }
}
