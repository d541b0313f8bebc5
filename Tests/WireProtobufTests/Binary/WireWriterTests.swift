import Testing

@testable import WireProtobuf

/// The writer predicts the size of lengths and of the output. These tests cover every size around
/// the thresholds.
@Suite struct WireWriterTests {
  /// Encodes a length-delimited field independently of the library.
  static func field(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    var length = value.count
    var bytes = [number << 3 | 2]
    while length >= 0x80 {
      bytes.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    return bytes + [UInt8(length)] + value
  }

  static let sizes = Array(110..<135) + Array(980..<1_030) + Array(16_330..<16_400)

  static func letters(_ count: Int) -> (text: String, bytes: [UInt8]) {
    (String(repeating: "a", count: count), [UInt8](repeating: 97, count: count))
  }

  @Test(arguments: sizes + [2_097_140, 2_097_152])
  func subMessagesHaveTheirLength(_ size: Int) throws {
    let (text, bytes) = Self.letters(size)
    let scalars = Scalars(string: text)
    let string = Self.field(14, bytes)
    #expect(Optionals(scalars: scalars).serializedBytes() == Self.field(4, string))
    #expect(
      Repeated(scalars: [scalars, Scalars(), scalars]).serializedBytes()
        == Self.field(13, string) + Self.field(13, []) + Self.field(13, string))
    #expect(
      Maps(scalars: ["k": scalars]).serializedBytes()
        == Self.field(5, Self.field(1, [107]) + Self.field(2, string)))
  }

  @Test(arguments: sizes)
  func nestedMessagesHaveTheirLength(_ size: Int) throws {
    let (text, bytes) = Self.letters(size)
    let tree = Tree(left: Tree(left: Tree(name: text)), others: [Tree(others: [Tree(name: text)])])
    let leaf = Self.field(1, bytes)
    #expect(
      tree.serializedBytes()
        == Self.field(2, Self.field(2, leaf)) + Self.field(3, Self.field(3, leaf)))
  }

  @Test(arguments: sizes)
  func lastFieldMayHaveAnySize(_ size: Int) throws {
    let (text, bytes) = Self.letters(size)
    #expect(Optionals(text: text).serializedBytes() == Self.field(2, bytes))
    #expect(Scalars(bytes: bytes).serializedBytes() == Self.field(15, bytes))
    #expect(
      Repeated(bools: bytes.map { _ in true }).serializedBytes()
        == Self.field(6, bytes.map { _ in 1 }))
    let unknown = Self.field(15, bytes)
    #expect(try Optionals(serializedBytes: unknown).serializedBytes() == unknown)
    #expect(
      WellKnown(string: text).serializedBytes() == Self.field(15, Self.field(1, bytes)))
  }

  @Test(arguments: [50, 51, 52, 53, 54, 818, 819, 820])
  func leafMessagesRoundTrip(_ count: Int) throws {
    let messages = Repeated(
      points: (0..<count).map { Point(x: Double($0), y: 1) },
      farPoints: (0..<count).map { Point(x: Double($0 % 2), y: 1) },
      spans: (0..<count).map { _ in Span() })
    let bytes = messages.serializedBytes()
    #expect(bytes.count == (count - 1) * 20 + 11 + count * 13 + (count / 2) * 9 + count * 2)
    #expect(try Repeated(serializedBytes: bytes) == messages)
  }
}
