import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct DecodingErrorTests {
  static func error<M: Message>(_ type: M.Type, _ bytes: String) -> String? {
    do {
      _ = try M(serializedBytes: hex(bytes))
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    // Each kind with a truncated value.
    ("18", "Scalars.int32 at byte 1: truncated"),
    ("18 80", "Scalars.int32 at byte 1: truncated"),
    ("09 00", "Scalars.double at byte 1: truncated"),
    ("4D 000000", "Scalars.fixed32 at byte 1: truncated"),
    ("18 01 72", "Scalars.string at byte 3: truncated"),
    ("18 01 72 02 61", "Scalars.string at byte 4: truncated"),
    ("7A FFFFFFFF07", "Scalars.bytes at byte 6: truncated"),
    // Tags.
    ("18 01 80", "Scalars at byte 2: truncated"),
    ("18 01 FFFFFFFF7F 00", "Scalars at byte 2: tag longer than 32 bits"),
    ("18 01 00", "Scalars.0 at byte 3: illegal tag"),
    ("06", "Scalars.0 at byte 1: illegal tag"),
    ("1E 01", "Scalars.int32 at byte 1: illegal tag"),
    ("18 FFFFFFFFFFFFFFFFFFFF01", "Scalars.int32 at byte 1: varint longer than 10 bytes"),
    ("72 818080808000 61", "Scalars.string at byte 1: length longer than 5 bytes"),
    // Strings.
    ("72 01 FF", "Scalars.string at byte 2: not UTF-8"),
    ("72 03 EDA080", "Scalars.string at byte 2: not UTF-8"),
    ("72 02 C080", "Scalars.string at byte 2: not UTF-8"),
    // Groups and unknown fields.
    ("1C", "Scalars.int32 at byte 1: END_GROUP tag without a matching START_GROUP"),
    ("C306 0801", "Scalars.104 at byte 4: truncated"),
    ("C306 CC06", "Scalars.104 at byte 4: END_GROUP tag without a matching START_GROUP"),
    ("A006", "Scalars.100 at byte 2: truncated"),
    ("B206 05 01", "Scalars.100 at byte 3: truncated".replacing("100", with: "102")),
  ])
  func errorsOfScalarsNameTheField(_ bytes: String, _ description: String) {
    #expect(Self.error(Scalars.self, bytes) == description)
  }

  @Test func pathsContainSubMessages() {
    #expect(
      Self.error(Repeated.self, "6A 00 6A 02 18 01 6A 03 18 01 09")
        == "Repeated.scalars[2].double at byte 11: truncated")
    #expect(
      Self.error(
        Repeated.self, RecordTests.point(1, 2).map { hexDigits($0) }.joined() + "5A 04 09 000000")
        == "Repeated.points[1].x at byte 23: truncated")
    #expect(
      Self.error(Optionals.self, "22 05 18 01 72 05 61")
        == "Optionals.scalars.string at byte 6: truncated")
    // A field after the invalid message is not named in the path.
    #expect(
      Self.error(Optionals.self, "22 01 18 08 01")
        == "Optionals.scalars.int32 at byte 3: truncated"
    )
    #expect(
      Self.error(Tree.self, "12 0A 12 08 1A 00 1A 04 0A 02 FF FF")
        == "Tree.left.left.others[1].name at byte 10: not UTF-8")
  }

  @Test func pathsContainOneofsMapsAndWrappers() {
    #expect(Self.error(Choices.self, "1A 01 18") == "Choices.scalars.int32 at byte 3: truncated")
    #expect(
      Self.error(Maps.self, "2A 00 2A 07 0A 01 6B 12 02 18 80")
        == "Maps.scalars[1].value.int32 at byte 10: truncated")
    #expect(Self.error(Maps.self, "0A 03 0A 01 FF") == "Maps.counts[0].key at byte 4: not UTF-8")
    #expect(Self.error(WellKnown.self, "62 01 08") == "WellKnown.int32.value at byte 3: truncated")
    #expect(
      Self.error(WellKnown.self, "0A 01 08") == "WellKnown.time.seconds at byte 3: truncated")
  }

  @Test func recursionIsLimited() throws {
    func nested(_ depth: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      for _ in 0..<depth {
        var length: [UInt8] = []
        var rest = bytes.count
        while rest >= 0x80 {
          length.append(UInt8(rest & 0x7F | 0x80))
          rest >>= 7
        }
        bytes = [0x12] + length + [UInt8(rest)] + bytes
      }
      return bytes
    }
    _ = try Tree(serializedBytes: nested(100))
    #expect(throws: DecodingError.self) { try Tree(serializedBytes: nested(101)) }
    // Groups count toward the same limit.
    let groups = { (depth: Int) in
      [UInt8](repeating: 0xA3, count: 0) + Array(repeating: hex("C306"), count: depth).joined()
        + Array(repeating: hex("C406"), count: depth).joined()
    }
    _ = try Tree(serializedBytes: groups(100))
    #expect(throws: DecodingError.self) { try Tree(serializedBytes: groups(101)) }
    #expect(throws: DecodingError.self) {
      try Tree(serializedBytes: nested(99).dropLast(2) + [0x12, 0x80])
    }
    var options = DecodingOptions()
    options.recursionLimit = 3
    #expect(throws: DecodingError.self) { try Tree(serializedBytes: nested(4), options: options) }
  }

  @Test func memoryIsBounded() throws {
    // Two bytes per element, each of which takes a few hundred bytes in memory.
    let bytes = Array(repeating: hex("6A 00"), count: 1 << 20).flatMap { $0 }
    #expect(
      Self.error(Repeated.self, bytes.map { hexDigits($0) }.joined())
        == "Repeated.scalars[0] at byte 1: needs more memory or time than"
        + " DecodingOptions.memoryFactor allows")
    var options = DecodingOptions()
    options.memoryFactor = 200
    #expect(
      try Repeated(serializedBytes: bytes, options: options).scalars.count == 1 << 20)
    // A string whose length exceeds the input.
    #expect(
      Self.error(Scalars.self, "72 FFFFFFFF07 6162") == "Scalars.string at byte 6: truncated")
  }
}

func hexDigits(_ byte: UInt8) -> String {
  String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
}
