import TestSupport
import Testing
import WireGRPC
import WireIO
import WireProtobuf

@testable import Recording

@Suite struct BinaryLogSequenceTests {
  /// Calls `body` with what there is in files of these contents.
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

  /// As a recorder rotates them, each call two seconds long.
  private static let entries = (0..<3).flatMap { call in
    Logs.call(UInt64(call + 1)).map { entry in
      var entry = entry
      entry.timestamp?.seconds += Int64(call * 100)
      return entry
    }
  }

  @Test func readsLogsInTheOrderInWhichTheyBegin() throws {
    let parts = [Array(Self.entries[..<4]), Array(Self.entries[4..<9]), Array(Self.entries[9...])]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      try Self.withLogs(order.map { Logs.bytes(parts[$0]) }) { sources throws in
        let logs = BinaryLogSequence(sources)
        #expect(try Self.read(logs) == Self.entries)
        #expect(logs.warnings.isEmpty)
      }
    }
  }

  @Test func readsOnBehindALogThatCanNotBeRead() throws {
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

  @Test func warnsOfATornTailAndOfLogsThatOverlap() throws {
    let first = Logs.bytes(Array(Self.entries[..<11])).dropLast()
    try Self.withLogs([Logs.bytes(Array(Self.entries[6...])), Array(first)]) { sources throws in
      let logs = BinaryLogSequence(sources)
      #expect(try Self.read(logs).count == 10 + 12)
      #expect(logs.warnings.count == 2)
      #expect(logs.warnings.first?.hasPrefix("\(sources[1].path): entry 11 at byte") == true)
      #expect(
        logs.warnings.last
          == "\(sources[0].path): begins before the end of \(sources[1].path): its calls come behind"
          + " those")
    }
  }

  @Test func callsGoOnFromOneToTheNext() throws {
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
