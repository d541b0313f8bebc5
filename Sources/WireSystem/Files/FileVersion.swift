/// The identity and modification time of a file. While they are the same, so is its content.
package struct FileVersion: Hashable, Sendable {
  private let file: FileIdentity
  private let size: Int64
  /// When the file or its metadata last changed, in nanoseconds since 1970.
  let change: Int64

  /// Nil if it is not a regular file.
  package init?(of path: String) throws(IOError) {
    guard let found = stat(at: path) else { throw IOError(operation: "stat \(path)") }
    guard found.kind == S_IFREG else { return nil }
    file = FileIdentity(found)
    size = Int64(found.st_size)
    #if canImport(Darwin)
      let time = found.st_ctimespec
    #else
      let time = found.st_ctim
    #endif
    change = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Whether the next change will be detected. File systems have coarse clocks, so two changes in
  /// quick succession may have the same time.
  ///
  /// - Parameter now: in seconds since 1970, before the file is read.
  package func isSettled(at now: Double) -> Bool {
    abs(now - Double(change) / 1e9) > 2
  }
}
