import TestSupport
import Testing
import WireSystem

@testable import Recording
@testable import WireGRPC

/// Files that disappear, cannot be rotated, or are no files.
@Suite struct EntryOutputTests {
  private final class EventLog: Sendable {
    let events = Locked<[RecordingEvent]>([])
  }

  /// Writes entries, and collects the events.
  private final class Output {
    private let log = EventLog()
    private var output: EntryOutput
    private var queue = EntryQueue(limit: .max)

    init(_ file: any BinaryLogOutput, _ options: RecordingOptions = RecordingOptions()) {
      output = EntryOutput(file, options) { [log] event in log.events.withLock { $0.append(event) }
      }
    }

    func write(_ count: Int = 1) {
      let call = RecordedCallHead(id: 1, method: "/a/B", authority: "", limits: .whole)
      for _ in 0..<count {
        let head = EntryHead(call: call, sequence: 1, time: (0, 0), peer: nil)
        _ = queue.add(.requestEnd, head)
        output.write(queue.takeBatches(), at: 0)
      }
    }

    var report: RecordingReport { output.report }

    /// The events since the last call.
    func events() -> [RecordingEvent] {
      log.events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  @Test func removedFolderIsReportedOnceAndTheRecordingContinues() async throws {
    try await withTemporaryDirectory { folder in
      let path = "\(folder)/sub/log"
      #expect(mkdir("\(folder)/sub", 0o700) == 0)
      let output = Output(try openBinaryLog(path, RecordingOptions()))
      output.write()
      #expect(output.events() == [])
      unlink(path)
      rmdir("\(folder)/sub")
      output.write(3)
      #expect(output.events() == [.paused(reason: "open \(path): No such file or directory")])
      #expect(output.report.written == 1 && output.report.dropped == 3)
      #expect(mkdir("\(folder)/sub", 0o700) == 0)
      output.write(2)
      #expect(output.events() == [.resumed])
      #expect(output.report.written == 3 && output.report.dropped == 3)
      #expect(try Logs.read(path).count == 2)
      unlink(path)
      rmdir("\(folder)/sub")
    }
  }

  @Test func movedFileContinuesIfThereIsNoNewOne() async throws {
    try await withTemporaryDirectory { folder in
      let path = "\(folder)/log"
      let output = Output(try openBinaryLog(path, RecordingOptions()))
      #expect(rename(path, "\(folder)/moved") == 0)
      #expect(mkdir(path, 0o700) == 0)
      output.write(2)
      #expect(output.events() == [.notRotated(reason: "open \(path): Is a directory")])
      #expect(output.report.written == 2 && output.report.dropped == 0)
      rmdir(path)
      output.write()
      #expect(output.events() == [.resumed])
      #expect(try Logs.read("\(folder)/moved").count == 2 && Logs.read(path).count == 1)
    }
  }

  @Test func rotationThatFailsIsReportedOnce() async throws {
    try await withTemporaryDirectory { folder in
      var options = RecordingOptions()
      options.maxFileSize = 1
      options.keptFiles = 1
      let output = Output(try openBinaryLog("\(folder)/log", options), options)
      #expect(mkdir("\(folder)/log.1", 0o700) == 0)
      output.write(3)
      #expect(
        output.events() == [
          .notRotated(reason: "rename \(folder)/log to \(folder)/log.1: Is a directory")
        ])
      rmdir("\(folder)/log.1")
      output.write()
      #expect(output.events() == [.resumed])
      #expect(names(in: folder) == ["log", "log.1"])
    }
  }

  @Test func linkIsFollowedOnceAndItsFileIsRotated() async throws {
    try await withTemporaryDirectory { folder in
      #expect(symlink("log", "\(folder)/link") == 0)
      var options = RecordingOptions()
      options.maxFileSize = 1
      let output = Output(try openBinaryLog("\(folder)/link", options), options)
      output.write(2)
      #expect(names(in: folder) == ["link", "log", "log.1"])
      #expect(output.events() == [])
    }
  }

  @Test func entriesAfterACutOneAreDropped() async throws {
    let ends = try #require(SystemCalls.pipe())
    let inherited = dup(ends.write)
    close(ends.write)
    defer { for end in [ends.read, inherited] { close(end) } }
    let direct = try DirectOutput(.descriptor(inherited), waitsForReader: false)
    var stream = BinaryLogStream(try #require(direct), patience: 1)
    try stream.append([1, 2], at: 0)
    let large = [UInt8](repeating: 0, count: 1 << 20)
    let error = try #require(throws: IOError.self) { try stream.append(large[...], at: 0) }
    #expect(error.code == .timedOut)
    var room = large
    #expect(read(ends.read, &room, room.count) > 2 && room[...1] == [1, 2])
    #expect(throws: error) { try stream.append([3], at: 0) }
  }

  @Test func whatCannotBeRotatedIsRefused() {
    var options = RecordingOptions()
    options.maxFileAge = .seconds(60)
    let error = #expect(throws: RecordingError.self) { try openBinaryLog("/dev/null", options) }
    #expect(error?.description == "cannot rotate /dev/null, which is not a regular file")
  }

  @Test(arguments: [(99, true), (100, false)])
  func contentThatWouldBeErasedAtOnceIsRefused(limit: Int, isRefused: Bool) async throws {
    try await withTemporaryDirectory { folder in
      let entry = Logs.entry(1, .clientHalfClose, second: 0).framed
      try appendToFile("\(folder)/log", entry)
      var options = RecordingOptions()
      options.maxFileSize = entry.count * limit / 100
      options.keptFiles = 0
      let isOpen = (try? openBinaryLog("\(folder)/log", options)) != nil
      #expect(isOpen != isRefused)
      options.keptFiles = 1
      #expect((try? openBinaryLog("\(folder)/log", options)) != nil)
    }
  }
}
