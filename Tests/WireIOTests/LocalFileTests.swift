import TestSupport
import Testing

@testable import WireIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct LocalFileTests {
  @Test func aLongFileComesInPieces() throws {
    // More than one piece of it, and what is at hand everywhere.
    let file = try LocalFile(CommandLine.arguments[0])
    let first = try file.next()
    let second = try file.next()
    #expect(first.count == 65_536 && !second.isEmpty && first != second)
    #expect(try LocalFile.contents(of: CommandLine.arguments[0]).starts(with: first + second))
  }

  @Test func aLimitIsPassedByOnePieceAtMost() throws {
    let some = try LocalFile(CommandLine.arguments[0]).contents(limit: 100)
    #expect((101...65_536).contains(some.count))
  }

  @Test func anEmptyFile() throws {
    #expect(try LocalFile.contents(of: "/dev/null") == [])
  }

  @Test func isTheSameUnderAnotherName() async throws {
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

  @Test func isReplacedByWhatIsShorter() throws {
    try withTemporaryFile([1, 2]) { path in
      let file = try LocalFile(path)
      #expect(try file.next() == [1, 2])
      #expect(!file.isReplaced(at: path))
      truncate(path, 1)
      #expect(file.isReplaced(at: path))
    }
  }

  @Test func whatCannotBeRead() {
    let missing = #expect(throws: IOError.self) { try LocalFile("/nonexistent") }
    #expect(missing?.code == .noSuchFile)
    #expect(missing?.description.contains("/nonexistent") == true)
    let folder = #expect(throws: IOError.self) { try LocalFile.contents(of: "/") }
    #expect(folder?.code.rawValue == EISDIR)
  }
}
