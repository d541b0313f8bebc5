import TestSupport
import Testing
import WireSystem

@testable import WireSystem

@Suite struct LocalFileTests {
  @Test func longFileIsReadInPieces() throws {
    // Longer than one piece, and available everywhere.
    let file = try LocalFile(CommandLine.arguments[0])
    let first = try file.next()
    let second = try file.next()
    #expect(first.count == 65_536 && !second.isEmpty && first != second)
    let all = try LocalFile.contents(of: CommandLine.arguments[0], limit: 1 << 30)
    #expect(all.starts(with: first + second))
  }

  @Test func limitIsTheLargestSize() throws {
    try withTemporaryFile([1, 2, 3]) { path in
      let bytes = try LocalFile.contents(of: path, limit: 3)
      #expect(bytes == [1, 2, 3])
      #expect(throws: FileReadError.tooLarge(limit: 2)) {
        try LocalFile.contents(of: path, limit: 2)
      }
    }
  }

  @Test(arguments: [(64 << 10, "larger than 64 KiB"), (8 << 20, "larger than 8 MiB")])
  func endlessFileIsReadUpToTheLimit(limit: Int, words: String) {
    let error = #expect(throws: FileReadError.self) {
      try LocalFile.contents(of: "/dev/zero", limit: limit)
    }
    #expect(error == .tooLarge(limit: limit) && error?.description == words)
  }

  @Test func emptyFileIsRead() throws {
    #expect(try LocalFile.contents(of: "/dev/null", limit: 0) == [])
  }

  // MARK: Pipes

  @Test func fifoWithoutAWriterFailsAtTheDeadline() throws {
    try withFIFO { path in
      let start = ContinuousClock.now
      #expect(throws: FileReadError.tooLate) {
        try LocalFile.contents(of: path, limit: 100, until: start + .milliseconds(120))
      }
      #expect(.now - start >= .milliseconds(120))
      // Not even for a moment.
      #expect(throws: FileReadError.tooLate) {
        try LocalFile.contents(of: path, limit: 100, until: start)
      }
    }
  }

  @Test func fifoIsReadToTheEndOfItsWriter() throws {
    try withFIFO { path in
      let writer = try Thread(for: "the writer") {
        // Waits for the reader.
        let file = open(path, O_WRONLY)
        for byte: UInt8 in 1...3 {
          var byte = byte
          write(file, &byte, 1)
          usleep(1000)
        }
        close(file)
      }
      defer { writer.join() }
      #expect(try LocalFile.contents(of: path, limit: 3) == [1, 2, 3])
    }
  }

  @Test func endlessWriterFailsAtTheDeadline() throws {
    try withFIFO { path in
      // Linux opens a FIFO for reading and writing without waiting.
      let writer = open(path, O_RDWR)
      defer { close(writer) }
      var byte: UInt8 = 1
      write(writer, &byte, 1)
      #expect(throws: FileReadError.tooLate) {
        try LocalFile.contents(of: path, limit: 100, until: .now + .milliseconds(10))
      }
    }
  }

  @Test func canceledTaskStopsWaiting() async throws {
    let path = "/tmp/tripwire-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    mkfifo(path, 0o600)
    defer { unlink(path) }
    let task = Task { () -> FileReadError? in
      do throws(FileReadError) {
        _ = try LocalFile.contents(of: path, limit: 100)
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value == .canceled)
  }

  private func withFIFO(_ body: (String) throws -> Void) throws {
    let path = "/tmp/tripwire-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    try body(path)
  }

  @Test func renamedFileIsTheSame() async throws {
    try await withTemporaryDirectory { folder in
      let (path, other) = ("\(folder)/a", "\(folder)/b")
      try appendToFile(path, [1])
      try appendToFile(other, [1])
      let file = try LocalFile(path)
      #expect(file.identity == LocalFile.identity(of: path) && file.identity != nil)
      #expect(file.identity != LocalFile.identity(of: other))
      #expect(try LocalFile("/dev/null").identity == nil && LocalFile.identity(of: folder) == nil)
      #expect(!file.isReplaced(at: path))
      unlink(path)
      #expect(!file.isReplaced(at: path))
      rename(other, path)
      #expect(file.isReplaced(at: path))
    }
  }

  @Test func truncatedFileIsReplaced() throws {
    try withTemporaryFile([1, 2]) { path in
      let file = try LocalFile(path)
      #expect(try file.next() == [1, 2])
      #expect(!file.isReplaced(at: path))
      truncate(path, 1)
      #expect(file.isReplaced(at: path))
    }
  }

  @Test func unreadableFilesAreErrors() {
    let missing = #expect(throws: IOError.self) { try LocalFile("/nonexistent") }
    #expect(missing?.code == .noSuchFile)
    #expect(missing?.description.contains("/nonexistent") == true)
    #expect(throws: FileReadError.system(.noSuchFile)) {
      try LocalFile.contents(of: "/nonexistent", limit: 1)
    }
    #expect(throws: FileReadError.system(IOError.Code(rawValue: EISDIR))) {
      try LocalFile.contents(of: "/", limit: 1)
    }
  }
}
