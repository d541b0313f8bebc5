/// Which file there is at a path and when it last changed: as long as that is the same, so is what is
/// in it.
package struct FileVersion: Hashable, Sendable {
  private let device: UInt64
  private let file: UInt64
  private let size: Int64
  /// When the file or what is known of it last changed, in nanoseconds since 1970.
  let change: Int64

  /// Nil when it is no regular file.
  package init?(of path: String) throws(IOError) {
    var found = stat()
    guard unsafe stat(path, &found) == 0 else { throw IOError(operation: "stat \(path)") }
    guard found.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(truncatingIfNeeded: found.st_dev)
    file = UInt64(truncatingIfNeeded: found.st_ino)
    size = Int64(found.st_size)
    #if canImport(Darwin)
      let time = found.st_ctimespec
    #else
      let time = found.st_ctim
    #endif
    change = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Whether the next change will show: one that comes right after another may bear the same time, as
  /// the clocks of file systems are coarse.
  ///
  /// - Parameter now: in seconds since 1970, before the file is read.
  package func isSettled(at now: Double) -> Bool {
    abs(now - Double(change) / 1e9) > 2
  }
}
