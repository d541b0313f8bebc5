import TestSupport
import Testing
import WireSystem

@Suite struct AppendedFileTests {
  #if os(Linux)
    /// A child process has all descriptors of its parent until it calls exec.
    @Test func closedFileIsUnlockedWhileAChildHoldsIt() throws {
      try withTemporaryFile([]) { path in
        var file: AppendedFile? = try AppendedFile(path)
        let descriptor = try #require((0..<1024).first { Self.path(of: $0) == path })
        let copy = dup(descriptor)
        defer { close(copy) }
        #expect(throws: IOError.self) { try AppendedFile(path) }
        file = nil
        #expect(throws: Never.self) { try AppendedFile(path) }
        withExtendedLifetime(file) {}
      }
    }

    private static func path(of descriptor: Int32) -> String? {
      var bytes = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
      return count < 0
        ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  #endif
}
