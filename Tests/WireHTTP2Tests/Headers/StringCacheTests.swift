import Testing

@testable import WireHTTP2

@Suite struct StringCacheTests {
  @Test func cachedStringsEqualTheirBytes() {
    var cache = StringCache()
    let texts = (0..<500).map { "x-header-number-\($0)-" + String(repeating: "é", count: $0 % 70) }
    for _ in 0..<3 {
      for text in texts + ["", "a", "application/grpc"] {
        let cached = Array(text.utf8).withUnsafeBufferPointer { cache.string($0) }
        #expect(cached == text)
      }
    }
  }

  @Test func stringsInOneSlotAreDistinct() {
    var cache = StringCache()
    let one = "12345678" + "a middle" + "87654321"
    let other = "12345678" + "b middle" + "87654321"
    for text in [one, other, one] {
      #expect(Array(text.utf8).withUnsafeBufferPointer { cache.string($0) } == text)
    }
  }

  @Test func invalidUTF8IsRepaired() {
    var cache = StringCache()
    for _ in 0..<2 {
      let bytes = Array(repeating: UInt8(0xff), count: 20)
      let text = bytes.withUnsafeBufferPointer { cache.string($0) }
      #expect(text == String(repeating: "\u{fffd}", count: 20))
    }
  }
}
