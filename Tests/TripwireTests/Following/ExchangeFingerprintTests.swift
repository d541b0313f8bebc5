import Testing

@testable import Tripwire

@Suite struct ExchangeFingerprintTests {
  @Test func equalExchangesHaveTheSameOne() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(ExchangeFingerprint(of: [1], bytes) == ExchangeFingerprint(of: [1], bytes))
    }
  }

  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100])
  func eachBitCounts(count: Int) {
    let bytes = [UInt8](repeating: 0, count: count)
    let fingerprint = ExchangeFingerprint(of: bytes, bytes)
    for index in 0..<count {
      for bit in 0..<8 {
        var other = bytes
        other[index] ^= 1 << bit
        #expect(ExchangeFingerprint(of: bytes, other) != fingerprint)
        #expect(ExchangeFingerprint(of: other, bytes) != fingerprint)
      }
    }
  }

  @Test func lengthCounts() {
    let zeros = (0...64).map { [UInt8](repeating: 0, count: $0) }
    for count in 0..<64 {
      #expect(
        ExchangeFingerprint(of: [], zeros[count]) != ExchangeFingerprint(of: [], zeros[count + 1]))
      #expect(
        ExchangeFingerprint(of: zeros[count], zeros[1])
          != ExchangeFingerprint(of: zeros[count + 1], zeros[0]))
    }
  }

  @Test func orderCounts() {
    let (a, b) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
    #expect(ExchangeFingerprint(of: a, b) != ExchangeFingerprint(of: b, a))
    #expect(ExchangeFingerprint(of: [], a + b) != ExchangeFingerprint(of: [], b + a))
    #expect(
      ExchangeFingerprint(of: [], a + b + a + b) != ExchangeFingerprint(of: [], a + a + b + b))
  }
}
