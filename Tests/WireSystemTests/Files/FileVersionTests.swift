import TestSupport
import Testing
import WireSystem

@testable import WireSystem

@Suite struct FileVersionTests {
  @Test func versionChangesWithTheFile() throws {
    try withTemporaryFile("a".utf8) { path in
      let first = try #require(try FileVersion(of: path))
      #expect(try FileVersion(of: path) == first)
      let file = open(path, O_WRONLY | O_APPEND)
      #expect(write(file, "b", 1) == 1)
      close(file)
      #expect(try FileVersion(of: path) != first)
      let change = Double(first.change) / 1e9
      #expect(!first.isSettled(at: change + 1))
      #expect(first.isSettled(at: change + 3))
    }
  }

  @Test func onlyRegularFilesHaveAVersion() throws {
    #expect(try FileVersion(of: "/dev/null") == nil)
    #expect(try FileVersion(of: "/tmp") == nil)
    let error = #expect(throws: IOError.self) { try FileVersion(of: "/nonexistent") }
    #expect(error?.code == .noSuchFile)
  }
}
