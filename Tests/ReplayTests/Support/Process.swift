#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// What this process has open, by proc(5).
  enum Process {
    struct Unreadable: Error {}

    static func descriptors() throws(Unreadable) -> Int {
      try list("/proc/self/fd").count
    }

    /// The names of all threads.
    static func threads() throws(Unreadable) -> [String] {
      try list("/proc/self/task").compactMap { thread in
        guard let file = fopen("/proc/self/task/\(thread)/comm", "r") else { return nil }
        defer { fclose(file) }
        var name = [UInt8](repeating: 0, count: 64)
        let count = fread(&name, 1, name.count, file)
        return String(decoding: name[..<count].filter { $0 != 10 }, as: UTF8.self)
      }
    }

    private static func list(_ path: String) throws(Unreadable) -> [String] {
      guard let directory = opendir(path) else { throw Unreadable() }
      defer { closedir(directory) }
      var names: [String] = []
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.first != "." { names.append(name) }
      }
      return names
    }
  }
#endif
