import TestSupport
import Testing

@testable import WireGRPC

@Suite struct DeflaterTests {
  @Test func roundTrips() throws {
    for count in [100, 5_000, 1_000_000] {
      let bytes = (0..<count).map { UInt8($0 / 7 % 5) }
      let shorter = try #require(Deflater.gzip(bytes))
      #expect(shorter.count < count)
      #expect(shorter.prefix(3) == [0x1f, 0x8b, 8])
      #expect(try Inflater.inflate(shorter, limit: count) == bytes)
    }
  }

  @Test func returnsNilForInputThatDoesNotShrink() {
    var random = SplitMix(state: 1)
    for count in [0, 1, 23, 24, 1_000, 100_000] {
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Deflater.gzip(noise) == nil)
    }
    #expect(Deflater.gzip([1, 2, 3]) == nil)
  }
}
