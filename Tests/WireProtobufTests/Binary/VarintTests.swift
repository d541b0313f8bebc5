import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct VarintTests {
  static let sizeCases: [(UInt64, Int)] = [
    (0, 1), (1, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (0x7_FFFF_FFFF, 5),
    (0x8_0000_0000, 6), (0x7FFF_FFFF_FFFF_FFFF, 9), (0x8000_0000_0000_0000, 10), (.max, 10),
  ]

  @Test(arguments: sizeCases)
  func sizeDependsOnTheValue(_ value: UInt64, _ size: Int) {
    #expect(varintSize(value) == size)
  }

  @Test(arguments: [
    (0 as Int64, 0 as UInt64), (-1, 1), (1, 2), (-2, 3), (.max, .max - 1), (.min, .max),
  ])
  func zigZagRoundTrips(_ value: Int64, _ mapped: UInt64) {
    #expect(zigZag(value) == mapped)
    #expect(unZigZag(mapped) == value)
  }

  @Test(arguments: [
    (0 as UInt64, "00"), (127, "7F"), (128, "80 01"), (300, "AC 02"), (16_384, "80 80 01"),
    (.max, "FF FF FF FF FF FF FF FF FF 01"),
  ])
  func valuesAreEncoded(_ value: UInt64, _ bytes: String) throws {
    var message = Scalars()
    message.uint64 = value
    #expect(message.serializedBytes() == (value == 0 ? [] : hex("30" + bytes)))
    #expect(try Scalars(serializedBytes: hex("30" + bytes)).uint64 == value)
  }

  /// Tests every length, with and without bytes after the varint.
  @Test(arguments: 0..<64)
  func everyLengthRoundTrips(_ bit: UInt64) throws {
    let power: UInt64 = 1 << bit
    for value in [power, power | 1, power &- 1, UInt64.max >> bit] {
      for tail in [[], [UInt8](repeating: 7, count: 16)] {
        let message = Scalars(uint64: value, sint64: unZigZag(value), bytes: tail)
        let bytes = message.serializedBytes()
        #expect(try Scalars(serializedBytes: bytes) == message)
        #expect(bytes.count - tail.count >= (value == 0 ? 0 : 2 + 2 * varintSize(value)))
      }
    }
  }

  @Test(arguments: 0..<10)
  func varintsEndWithinTheirMessage(_ count: Int) throws {
    let digits = [UInt8](repeating: 0x80, count: count)
    let after = [UInt8](repeating: 1, count: 16)
    #expect(throws: DecodingError.self) {
      try Optionals(serializedBytes: [0x22, UInt8(count + 1), 0x30] + digits + after)
    }
    let whole = try Optionals(
      serializedBytes: [0x22, UInt8(count + 2), 0x30] + digits + [1] + [0x08, 1])
    #expect(whole.scalars?.uint64 == 1 << UInt64(7 * count))
    #expect(whole.number == 1)
  }

  @Test func overlongVarintsAreRead() throws {
    #expect(try Scalars(serializedBytes: hex("30 81 80 80 00")).uint64 == 1)
    // Overlong tags are read as well.
    #expect(try Scalars(serializedBytes: hex("B0 80 00 05")).uint64 == 5)
  }

  @Test func upperBitsOf32BitFieldsAreDropped() throws {
    #expect(try Scalars(serializedBytes: hex("18 FF FF FF FF 7F")).int32 == -1)
    #expect(try Scalars(serializedBytes: hex("28 81 80 80 80 10")).uint32 == 1)
    #expect(try Scalars(serializedBytes: hex("38 83 80 80 80 10")).sint32 == -2)
  }
}
