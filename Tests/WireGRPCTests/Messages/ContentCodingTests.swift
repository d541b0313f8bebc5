import TestSupport
import Testing

@testable import WireGRPC

/// Compressed messages.
@Suite struct ContentCodingTests {
  private func compressed(_ text: String) -> MessageDeframer.Message {
    MessageDeframer.Message(isCompressed: true, bytes: hex(text))
  }

  /// RFC 9110, 8.4.1: the names of content codings are case-insensitive.
  @Test(
    arguments: [
      ("gzip", .gzip), ("GZIP", .gzip), ("GZip", .gzip), ("Deflate", .deflate),
      ("IDENTITY", .identity),
      ("", .identity), (nil, .identity), ("gzip2", .unsupported("gzip2")),
      ("BR", .unsupported("BR")),
      ("GZIP, GZIP", .unsupported("GZIP, GZIP")),
    ] as [(String?, ContentCoding)])
  func nameIsCaseInsensitive(name: String?, coding: ContentCoding) {
    #expect(ContentCoding(name) == coding)
  }

  @Test func decompressesAMessage() throws {
    let gzip = compressed("1f8b0800000000000203cb48cdc9c957c84027b9000088590b18000000")
    #expect(try gzip.decompressed(limit: 24) == Array("hello hello hello hello\n".utf8))
    let plain = MessageDeframer.Message(isCompressed: false, bytes: [1, 2])
    #expect(try plain.decompressed(limit: 2) == [1, 2])
  }

  @Test func decompressedSizeIsLimited() {
    // 1000 zeros in 29 bytes.
    let bomb = compressed("1f8b080000000000020363601805a360140c77000080170b06e8030000")
    let error = #expect(throws: CallError.self) { try bomb.decompressed(limit: 100) }
    #expect(error?.code == .resourceExhausted)
    #expect(error?.message.contains("when decompressed") == true)
  }

  @Test func invalidGzipIsInternal() {
    let error = #expect(throws: CallError.self) { try compressed("09").decompressed(limit: 100) }
    #expect(error?.code == .internal)
    #expect(error?.message.contains("cannot be decompressed") == true)
  }
}
