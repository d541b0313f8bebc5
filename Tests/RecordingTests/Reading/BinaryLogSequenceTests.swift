import TestSupport
import Testing
import WireGRPC
import WireProtobuf
import WireSystem

@testable import Recording

@Suite struct BinaryLogSequenceTests {
  /// Calls `body` with open files of these contents.
  private static func withLogs<Result>(
    _ contents: [[UInt8]], _ body: ([BinaryLogSource]) throws -> Result
  ) throws -> Result {
    guard let first = contents.first else { return try body([]) }
    return try withTemporaryFile(first) { path in
      let source = BinaryLogSource(path: path, try LocalFile(path))
      return try withLogs(Array(contents.dropFirst())) { try body([source] + $0) }
    }
  }

  private static func read(_ logs: BinaryLogSequence) throws -> [Logs.Entry] {
    var entries: [Logs.Entry] = []
    while let entry = try logs.next() { entries.append(entry.value) }
    return entries
  }

  /// Three calls as in rotated files; each call takes five seconds.
  private static let entries = (0..<3).flatMap { call in
    Logs.call(UInt64(call + 1)).map { entry in
      var entry = entry
      entry.timestamp?.seconds += Int64(call * 100)
      return entry
    }
  }

  @Test func readsLogsInOrderOfTheirFirstEntries() throws {
    let parts = [Array(Self.entries[..<4]), Array(Self.entries[4..<9]), Array(Self.entries[9...])]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      try Self.withLogs(order.map { Logs.bytes(parts[$0]) }) { sources throws in
        let logs = BinaryLogSequence(sources)
        #expect(try Self.read(logs) == Self.entries)
        #expect(logs.warnings.isEmpty)
      }
    }
  }

  /// Files of a rotated set are ordered by their numbers, even if the clock was set back.
  @Test func readsARotatedSetInOrderOfItsNumbers() async throws {
    let back = Self.entries.map { entry in
      var entry = entry
      entry.timestamp?.seconds -= entry.callId == 3 ? 1_000 : 0
      return entry
    }
    let parts = ["log.2.gz": back[..<4], "log.1": back[4..<12], "log": back[12...]]
    try await withTemporaryDirectory { folder in
      for (name, part) in parts { try appendToFile("\(folder)/\(name)", Logs.bytes(Array(part))) }
      func read(_ names: String...) throws -> (entries: [Logs.Entry], warnings: Int) {
        let files = try BinaryLogSet(paths: names.map { "\(folder)/\($0)" })
        let logs = BinaryLogSequence(files.sources)
        return (try Self.read(logs), logs.warnings.count + files.warnings.count)
      }
      // The clock change causes a warning.
      let whole = try read("log", "log.1", "log.2.gz")
      #expect(whole.entries == back && whole.warnings == 1)
      #expect(try read("log.1", "log", "log.2.gz").entries == back)
      // Without the current file, the numbers may mean anything.
      unlink("\(folder)/log")
      let older = try read("log.1", "log.2.gz")
      #expect(older.entries == Array(back[..<12]) && older.warnings == 0)
    }
  }

  @Test(arguments: [
    ("trip.binlog", "trip.binlog", 0), ("a/trip.binlog.12", "a/trip.binlog", 12),
    ("t.1.gz", "t", 1), ("t.gz", "t", 0), ("t.01", "t.01", 0), ("t.+1", "t.+1", 0),
    ("t.2026", "t.2026", 0), ("t.999", "t", 999), ("t.0", "t.0", 0), ("", "", 0), (".5", "", 5),
    ("t.", "t.", 0), ("a.1/t", "a.1/t", 0),
  ])
  func parsesTheNamesOfARotatedSet(path: String, base: String, number: Int) {
    let name = RotatedName(path)
    #expect((name.base, name.number) == (base, number))
  }

  @Test func continuesAfterALogThatCannotBeRead() throws {
    let (one, other) = (Array(Self.entries[..<6]), Array(Self.entries[6...]))
    let noise: [UInt8] = [0xff, 0, 0, 0]
    let contents = [Logs.bytes(other), Logs.bytes(one) + noise, [], noise]
    try Self.withLogs(contents) { sources throws in
      let logs = BinaryLogSequence(sources)
      var entries: [Logs.Entry] = []
      var failed: [String] = []
      while true {
        do {
          guard let entry = try logs.next() else { break }
          entries.append(entry.value)
        } catch let error as BinaryLogError {
          failed.append(error.path)
        }
      }
      #expect(entries == Self.entries)
      #expect(failed == [sources[3].path, sources[1].path])
    }
  }

  @Test func warnsAboutATruncatedEntryAndOverlappingLogs() throws {
    let first = Logs.bytes(Array(Self.entries[..<11])).dropLast()
    try Self.withLogs([Logs.bytes(Array(Self.entries[6...])), Array(first)]) { sources throws in
      let logs = BinaryLogSequence(sources)
      #expect(try Self.read(logs).count == 10 + 12)
      #expect(logs.warnings.count == 2)
      #expect(logs.warnings.first?.hasPrefix("\(sources[1].path): entry 11 at byte") == true)
      #expect(
        logs.warnings.last
          == "\(sources[0].path): starts before \(sources[1].path) ends; its calls come after"
          + " those of \(sources[1].path)")
    }
  }

  @Test func callsSpanSeveralLogs() throws {
    let cut = Logs.bytes(Array(Self.entries[..<3]))
    try Self.withLogs([Logs.bytes(Array(Self.entries[3...])), cut]) { sources throws in
      let read = try RecordedCalls(sources)
      #expect(read.calls.map(\.id) == [1, 2, 3])
      #expect(read.calls.allSatisfy { $0.requests.count == 1 && $0.ending?.code == .ok })
      #expect(read.warnings.isEmpty)
    }
    try Self.withLogs([Logs.bytes(Array(Self.entries[3...]))]) { sources throws in
      let read = try RecordedCalls(sources)
      #expect(read.calls.map(\.id) == [2, 3])
      #expect(read.warnings.first?.hasPrefix("\(sources[0].path): entry 1 at byte 0") == true)
    }
  }
}
