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

  @Test func whatCannotBeRead() {
    let missing = #expect(throws: IOError.self) { try LocalFile("/nonexistent") }
    #expect(missing?.code == .noSuchFile)
    #expect(missing?.description.contains("/nonexistent") == true)
    let folder = #expect(throws: IOError.self) { try LocalFile.contents(of: "/") }
    #expect(folder?.code.rawValue == EISDIR)
  }
}
