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
    @Test func residentMemoryIsBetweenWhatIsHeldAndThePeak() throws {
      let size = 64 << 20
      let held = [UInt8](repeating: 1, count: size)
      let resident = try #require(ProcessUsage().residentMemory)
      #expect(resident >= size)
      // Linux counts pages in batches, so that the two readings may differ a little.
      #expect(resident <= (try peakOfResidentMemory) + size)
      withExtendedLifetime(held) {}
    }

    /// VmHWM of /proc/self/status (proc(5)), in bytes.
    private var peakOfResidentMemory: Int {
      get throws {
        let status = try LocalFile.contents(of: "/proc/self/status", limit: 1 << 16)
        let line = try #require(
          String(decoding: status, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split { !$0.isNumber }.first.flatMap { Int($0) }) << 10
      }
    }
  #endif
}
