import Testing

@testable import WireHTTP2

@Suite struct StringCacheTests {
  @Test func givesBackWhatItWasGivenHoweverOften() {
    var cache = StringCache()
    let texts = (0..<500).map { "x-header-number-\($0)-" + String(repeating: "é", count: $0 % 70) }
    for _ in 0..<3 {
      for text in texts + ["", "a", "application/grpc"] {
        let got = Array(text.utf8).withUnsafeBufferPointer { cache.string($0) }
        #expect(got == text)
      }
    }
  }

  @Test func textsThatShareASlotAreNotMixedUp() {
    var cache = StringCache()
    let one = "12345678" + "a middle" + "87654321"
    let other = "12345678" + "b middle" + "87654321"
    for text in [one, other, one] {
      #expect(Array(text.utf8).withUnsafeBufferPointer { cache.string($0) } == text)
    }
  }

  @Test func repairsBytesThatAreNoUTF8() {
    var cache = StringCache()
    for _ in 0..<2 {
      let bytes = Array(repeating: UInt8(0xff), count: 20)
      let got = bytes.withUnsafeBufferPointer { cache.string($0) }
      #expect(got == String(repeating: "\u{fffd}", count: 20))
    }
  }
}
