import Testing
import WireSystem

@Suite struct ProcessUsageTests {
  @Test func openFilesAreCounted() throws {
    // Other tests of this process open files, too.
    let count = 500
    let files = try (0..<count).map { _ in try LocalFile("/dev/null") }
    let usage = ProcessUsage()
    let open = try #require(usage.openFiles)
    #expect(open > count)
    #expect(try #require(usage.openFileLimit) >= open)
    withExtendedLifetime(files) {}
  }

  #if os(Linux)
    @Test func residentMemoryGrowsWithUsedMemory() throws {
      let before = try #require(ProcessUsage().residentMemory)
      let size = 64 << 20
      let memory = [UInt8](repeating: 1, count: size)
      let after = try #require(ProcessUsage().residentMemory)
      // Other tests may free memory meanwhile.
      #expect(after > before + size / 2)
      #expect(after < before + 100 * size)
      withExtendedLifetime(memory) {}
    }
  #endif
}
