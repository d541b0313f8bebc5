import Testing
import WireProtobuf

@testable import Recording

@Suite struct EntryFramerTests {
  static func framed(_ entries: [[UInt8]]) -> [UInt8] {
    entries.flatMap { [0, 0, UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
  }

  static let entries: [[UInt8]] = [[1], [2, 2, 2], Array(repeating: 7, count: 300), [9]]

  @Test func returnsNumberOffsetAndBytesOfEachEntry() throws {
    var framer = EntryFramer(limit: 1000)
    framer.append(Self.framed(Self.entries))
    var seen: [EntryFramer.Frame] = []
    while let frame = try framer.next() { seen.append(frame) }
    #expect(seen.map(\.number) == [1, 2, 3, 4])
    #expect(seen.map(\.offset) == [0, 5, 12, 316])
    #expect(seen.map { Array($0.bytes) } == Self.entries)
    #expect(framer.truncatedTail == nil)
  }

  @Test func readsAFramedEntry() throws {
    let entry = BinlogGrpcLogEntry(
      callId: 300, peer: BinlogAddress(address: String(repeating: "a", count: 70_000)))
    var framer = EntryFramer(limit: 100_000)
    framer.append(entry.framed)
    let frame = try #require(try framer.next())
    #expect(Array(frame.bytes) == entry.serializedBytes() && frame.number == 1)
    #expect(BinlogGrpcLogEntry().framed == [0, 0, 0, 0])
  }

  @Test func acceptsChunksOfAnySize() throws {
    let log = Self.framed(Self.entries)
    for size in 1...log.count {
      var framer = EntryFramer(limit: 1000)
      var seen: [[UInt8]] = []
      for start in stride(from: 0, to: log.count, by: size) {
        framer.append(log[start..<min(start + size, log.count)])
        while let frame = try framer.next() { seen.append(Array(frame.bytes)) }
      }
      #expect(seen == Self.entries, "chunks of \(size)")
    }
  }

  @Test func reportsATruncatedTail() throws {
    let log = Self.framed(Self.entries)
    let ends = [0, 5, 12, 316, 321]
    for length in 0...log.count {
      var framer = EntryFramer(limit: 1000)
      framer.append(log.prefix(length))
      var whole = 0
      while try framer.next() != nil { whole += 1 }
      #expect(whole == ends.count { $0 > 0 && $0 <= length })
      let start = try #require(ends.last { $0 <= length })
      if start == length {
        #expect(framer.truncatedTail == nil)
      } else {
        #expect(framer.truncatedTail?.offset == start)
        #expect(framer.truncatedTail?.bytes.count == length - start)
      }
    }
  }

  @Test(arguments: [0, 1001, UInt32.max]) func rejectsImplausibleLengths(length: UInt32) throws {
    var framer = EntryFramer(limit: 1000)
    framer.append(Self.framed([[1]]))
    framer.append((0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) })
    _ = try framer.next()
    #expect(throws: EntryFramer.InvalidLength(number: 2, offset: 5, length: length)) {
      try framer.next()
    }
  }
}
