import TestSupport
import Testing

@testable import WireProtobuf

@Suite struct ScalarTests {
  /// A value of each kind with its encoded field.
  static let cases: [(Scalars, String)] = [
    (Scalars(double: 1.5), "09 000000000000F83F"),
    (Scalars(double: -0.0), "09 0000000000000080"),
    (Scalars(float: 1.5), "15 0000C03F"),
    (Scalars(int32: -1), "18 FFFFFFFFFFFFFFFFFF01"),
    (Scalars(int64: .min), "20 80808080808080808001"),
    (Scalars(uint32: .max), "28 FFFFFFFF0F"),
    (Scalars(uint64: 1 << 63), "30 80808080808080808001"),
    (Scalars(sint32: .min), "38 FFFFFFFF0F"),
    (Scalars(sint64: -2), "40 03"),
    (Scalars(fixed32: 1), "4D 01000000"),
    (Scalars(fixed64: 1), "51 0100000000000000"),
    (Scalars(sfixed32: -1), "5D FFFFFFFF"),
    (Scalars(sfixed64: -1), "61 FFFFFFFFFFFFFFFF"),
    (Scalars(bool: true), "68 01"),
    (Scalars(string: "é"), "72 02 C3A9"),
    (
      Scalars(string: String(repeating: "x", count: 200)),
      "72 C801" + .init(repeating: "78", count: 200)
    ),
    (Scalars(bytes: [0, 255]), "7A 02 00FF"),
    (Scalars(color: .negative), "8001 FFFFFFFFFFFFFFFFFF01"),
    (Scalars(color: .unrecognized(7)), "8001 07"),
  ]

  @Test(arguments: 0..<cases.count)
  func everyScalarRoundTrips(_ index: Int) throws {
    let (message, bytes) = Self.cases[index]
    #expect(message.serializedBytes() == hex(bytes))
    #expect(try Scalars(serializedBytes: hex(bytes)) == message)
  }

  @Test func defaultsAreNotWritten() throws {
    #expect(Scalars().serializedBytes() == [])
    // Default values are read if they are present.
    var message = Scalars(int32: 5, string: "x", bytes: [1])
    var unknown = 0
    let zeros = hex("18 00 72 00 7A 00")
    try message.merge(serializedBytes: zeros.span.bytes, unknownFieldCount: &unknown)
    #expect(message == Scalars())
  }

  @Test func presenceIsKept() throws {
    let zeros = Optionals(
      number: 0, text: "", color: .unspecified, scalars: Scalars(), point: Point())
    #expect(zeros.serializedBytes() == hex("08 00 12 00 18 00 22 00 2A 00"))
    #expect(try Optionals(serializedBytes: zeros.serializedBytes()) == zeros)
    #expect(zeros != Optionals())
  }

  @Test func everyNonzeroVarintIsTrue() throws {
    #expect(try Scalars(serializedBytes: hex("68 80808080808080808001")).bool)
    #expect(try !Scalars(serializedBytes: hex("68 808000")).bool)
  }

  @Test func enumsHaveNames() {
    #expect(Color(name: "COLOR_BLUE") == .blue)
    #expect(Color(name: "BLUE") == nil)
    #expect(Color.blue.name == "COLOR_BLUE")
    #expect(Color(rawValue: 9).name == nil)
    #expect(Color.unrecognized(5) == .blue)
    #expect(Color.unrecognized(5).name == "COLOR_BLUE")
    #expect(Alias(name: "ALIAS_SECOND") == .first)
    #expect(Alias.second == .first)
  }
}
