/// The memory and the descriptors that this process uses. Nil is what the system does not report.
package struct ProcessUsage {
  /// In bytes.
  package let residentMemory: Int?
  package let openFiles: Int?
  package let openFileLimit: Int?

  package init() {
    residentMemory = Self.residentPages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    openFiles = Self.openFileCount
    openFileLimit = ResourceLimits.openFiles
  }

  /// The second number in /proc/self/statm (proc(5)).
  private static var residentPages: Int? {
    guard let bytes = try? LocalFile.contents(of: "/proc/self/statm", limit: 1 << 10) else {
      return nil
    }
    let numbers = bytes.split(separator: UInt8(ascii: " "))
    return numbers.count > 1 ? Int(String(decoding: numbers[1], as: UTF8.self)) : nil
  }

  private static var openFileCount: Int? {
    #if canImport(Darwin)
      let directory = "/dev/fd"
    #else
      let directory = "/proc/self/fd"
    #endif
    guard let stream = unsafe opendir(directory) else { return nil }
    defer { unsafe closedir(stream) }
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    // Without ".", ".." and the descriptor of the directory.
    return count - 3
  }
}
