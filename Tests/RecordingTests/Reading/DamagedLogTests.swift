import TestSupport
import Testing

@testable import Recording

@Suite struct DamagedLogTests {
  static func read(
    _ bytes: [UInt8]
  ) throws -> (entries: [Logs.Entry], damage: [String], truncatedTail: String?) {
    try withTemporaryFile(bytes) { path in
      var reader = BinaryLogReader(try BinaryLogSource(opening: path), skipsDamage: true)
      var entries: [Logs.Entry] = []
      while let entry = try reader.next() { entries.append(entry.value) }
      return (entries, reader.damage, reader.truncatedTail)
    }
  }

  @Test func readsAnUndamagedLog() throws {
    let read = try Self.read(Logs.bytes(Logs.call()))
    #expect(read.entries == Logs.call())
    #expect(read.damage.isEmpty && read.truncatedTail == nil)
  }

  /// A crash truncates an entry, and another process appends after it.
  @Test func losesOnlyTheTruncatedEntry() throws {
    let first = Logs.bytes(Logs.call(1))
    let second = Logs.call(2) + Logs.call(3)
    let ends = (0...6).map { Logs.bytes(Array(Logs.call(1)[..<$0])).count }
    for count in 1..<first.count {
      let read = try Self.read(first.prefix(count) + Logs.bytes(second))
      let whole = ends.lastIndex { $0 <= count } ?? 0
      let isRight = read.entries == Array(Logs.call(1)[..<whole]) + second
      #expect(isRight, "cut at \(count)")
      #expect(read.damage.count == (ends[whole] == count ? 0 : 1), "cut at \(count)")
    }
  }

  @Test func losesOnlyTheTruncatedMessage() throws {
    let large = Logs.entry(1, .serverMessage, Logs.message([UInt8](repeating: 7, count: 5_000)))
    let second = Logs.call(2)
    let read = try Self.read(Logs.bytes([large]).prefix(1_000) + Logs.bytes(second + second))
    #expect(read.entries == second + second)
    #expect(read.damage == [try #require(read.damage.first)])
    #expect(
      read.damage[0].hasSuffix(
        "entry 1 at byte 0 is damaged (truncated): the 1000 bytes before the next entry are skipped"
      ))
  }

  /// A position appears in one message and belongs to one entry.
  @Test func countsADamagedRegionAsOneEntry() throws {
    let bytes = [0xff] + Logs.bytes(Logs.call(1)).dropLast(2) + Logs.bytes(Logs.call(2))
    try withTemporaryFile(bytes) { path in
      var reader = BinaryLogReader(try BinaryLogSource(opening: path), skipsDamage: true)
      var numbers: [Int] = []
      while let entry = try reader.next() { numbers.append(entry.number) }
      #expect(numbers == Array(2...6) + Array(8...13))
      #expect(reader.damage.count == 2)
      #expect(reader.damage.first?.contains(": entry 1 at byte 0 is damaged (") == true)
      #expect(reader.damage.last?.contains(": entry 7 at byte ") == true)
    }
  }

  @Test func continuesAfterOverwrittenBytes() throws {
    let entries = (1...20).flatMap { Logs.call(UInt64($0)) }
    let bytes = Logs.bytes(entries)
    for offset in stride(from: 0, to: bytes.count - 40, by: 7) {
      var changed = bytes
      changed.replaceSubrange(offset..<(offset + 40), with: repeatElement(0xff, count: 40))
      let read = try Self.read(changed)
      #expect(read.entries.count >= entries.count - 4, "overwritten at \(offset)")
      #expect(!read.damage.isEmpty || read.entries != entries)
    }
  }

  @Test func reportsATruncatedLastEntry() throws {
    let read = try Self.read(Logs.bytes(Logs.call()).dropLast(2))
    #expect(read.entries == Array(Logs.call().dropLast()))
    #expect(read.damage.isEmpty)
    #expect(read.truncatedTail?.contains("entry 6 at byte") == true)
  }

  /// Starts of entries, each with a length that exceeds the file.
  @Test(.timeLimit(.minutes(20))) func limitsTheSearchAfterTheEnd() throws {
    let claim: [UInt8] = [0, 0xff, 0xff, 0xff, 0x10, 1]
    let noise = [[UInt8]](repeating: claim, count: 500_000).flatMap { $0 }
    let read = try Self.read(Logs.bytes(Logs.call()) + noise)
    #expect(read.entries == Logs.call())
  }

  /// A long entry full of bytes that look like the starts of long entries. The entry after it
  /// starts unlike others, so the inside of the first is searched.
  @Test(.timeLimit(.minutes(20))) func limitsTheSearchInsideAnEntry() throws {
    let claim: [UInt8] = [0, 0x0f, 0, 0, 0x10, 1, 0x7a, 0xf0, 0xff, 0x3b]
    let noise = [[UInt8]](repeating: claim, count: 300_000).flatMap { $0 }
    let long = Logs.entry(1, .serverMessage, Logs.message(noise))
    // The type comes first. As many bytes as are examined after an entry.
    let odd: [UInt8] = [0, 0, 0, 46, 0x20, 3, 0x10, 1, 0x42, 40, 0x12, 38]
    let read = try Self.read(Logs.bytes([long]) + odd + [UInt8](repeating: 7, count: 38))
    #expect(read.entries.map(\.type) == [.serverMessage, .clientMessage])
    #expect(read.damage.isEmpty)
  }

  /// Bytes that look like long entries are rejected by their first bytes.
  @Test(.timeLimit(.minutes(20))) func skipsManyFalseCandidates() throws {
    let claim: [UInt8] = [0, 0, 0x40, 0, 0x10, 1]
    let noise = [[UInt8]](repeating: claim, count: 20_000).flatMap { $0 }
    let log = Logs.bytes(Logs.call())
    let read = try Self.read(log + noise + log)
    #expect(read.entries == Logs.call() + Logs.call())
    #expect(read.damage.count == 1)
  }
}
