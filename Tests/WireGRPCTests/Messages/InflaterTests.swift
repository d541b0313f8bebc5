import TestSupport
import Testing

@testable import WireGRPC

@Suite struct InflaterTests {
  /// `gzip -n` and zlib of "hello hello hello hello\n".
  private let gzip: [UInt8] = hex(
    "1f8b0800000000000203cb48cdc9c957c84027b9000088590b18000000")
  private let zlib: [UInt8] = hex("789ccb48cdc9c957c84027b90070be08bb")
  private let text = Array("hello hello hello hello\n".utf8)

  @Test func inflatesGzipAndZlib() throws {
    #expect(try Inflater.inflate(gzip, limit: 100) == text)
    #expect(try Inflater.inflate(zlib, limit: 100) == text)
  }

  @Test func inflatesSeveralMembers() throws {
    #expect(try Inflater.inflate(gzip + gzip, limit: 100) == text + text)
  }

  @Test func limitsTheOutput() throws {
    #expect(try Inflater.inflate(gzip, limit: text.count) == text)
    #expect(throws: Inflater.Failure.tooLarge(limit: text.count - 1)) {
      try Inflater.inflate(gzip, limit: text.count - 1)
    }
    #expect(throws: Inflater.Failure.tooLarge(limit: 0)) { try Inflater.inflate(gzip, limit: 0) }
  }

  @Test func acceptsTheLargestLimit() throws {
    #expect(try Inflater.inflate(gzip, limit: .max) == text)
  }

  /// A series of small gzip members can decompress to as much as one large member.
  @Test func stopsAtTheLimitOfManyMembers() {
    let bomb = [[UInt8]](repeating: gzip, count: 100_000).flatMap { $0 }
    #expect(throws: Inflater.Failure.tooLarge(limit: 1000)) {
      try Inflater.inflate(bomb, limit: 1000)
    }
  }

  @Test func refusesTruncatedAndInvalidInput() {
    for count in 0..<gzip.count {
      #expect(throws: Inflater.Failure.self) {
        try Inflater.inflate(Array(gzip.prefix(count)), limit: 100)
      }
    }
    #expect(throws: Inflater.Failure.self) { try Inflater.inflate([1, 2, 3], limit: 100) }
    #expect(throws: Inflater.Failure.self) { try Inflater.inflate(gzip + [0], limit: 100) }
    for index in gzip.indices {
      var broken = gzip
      broken[index] ^= 0x55
      _ = try? Inflater.inflate(broken, limit: 100)
    }
  }
}
