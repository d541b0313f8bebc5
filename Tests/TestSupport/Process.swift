#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// The resources of this process (proc(5)).
  public enum Process {
    public struct Unreadable: Error {}

    /// Returns the number of entries in a directory of /proc/self: "fd" or "task".
    public static func count(_ name: String) throws(Unreadable) -> Int {
      guard let directory = opendir("/proc/self/\(name)") else { throw Unreadable() }
      defer { closedir(directory) }
      var count = 0
      while readdir(directory) != nil { count += 1 }
      return count
    }

    /// Waits until a directory of /proc/self has fewer entries than the limit. Joined or detached
    /// threads may take a moment to end. Gives up after some minutes.
    public static func waitForCount(of name: String, below limit: Int) async throws -> Bool {
      for _ in 0..<100_000 {
        if try count(name) < limit { return true }
        try await Task.sleep(for: .milliseconds(1))
      }
      return false
    }
  }
#endif
