import TestSupport
import Testing

@testable import WireProtobuf

/// Decoding from sources other than an array.
@Suite struct ByteInputTests {
  static let bytes = hex("18 05 72 01 61")
  static let message = Scalars(int32: 5, string: "a")

  @Test func slicesAreDecoded() throws {
    let slice = ([0xFF] + Self.bytes + [0xFF])[1...5]
    #expect(try Scalars(serializedBytes: slice) == Self.message)
    #expect(try Scalars(serializedBytes: slice.prefix(0)) == Scalars())
  }

  @Test func spansAreDecoded() throws {
    #expect(try Scalars(serializedBytes: Self.bytes.span.bytes) == Self.message)
  }

  @Test func collectionsWithoutContiguousStorageAreDecoded() throws {
    let reversed = Array(Self.bytes.reversed())
    #expect(try Scalars(serializedBytes: reversed.reversed() as ReversedCollection) == Self.message)
    let json = Array(#"}"a":"gnirts"{"#.utf8).reversed() as ReversedCollection
    #expect(try Scalars(jsonUTF8Bytes: json) == Scalars(string: "a"))
  }

  @Test func mergesBytes() throws {
    var message = Scalars(int32: 1, int64: 2)
    try message.merge(serializedBytes: Self.bytes)
    #expect(message == Scalars(int32: 5, int64: 2, string: "a"))
  }

  @Test func errorsReportTheByteOffset() {
    let error = #expect(throws: DecodingError.self) {
      try Scalars(serializedBytes: hex("FF 18 05 72 01 FF").dropFirst())
    }
    #expect(error?.description == "Scalars.string at byte 4: not UTF-8")
  }
}
