/// Identifies a file independently of its names.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let file: UInt64
  /// The name of a file that does not exist yet; the numbers are those of its folder then.
  private var name: String?

  init(_ found: stat) {
    device = UInt64(truncatingIfNeeded: found.st_dev)
    file = UInt64(truncatingIfNeeded: found.st_ino)
  }

  /// Returns the identity of a regular file or of a FIFO, of which one descriptor reads what another one
  /// writes; nil for anything else.
  static func ofContent(_ found: stat) -> FileIdentity? {
    found.kind == S_IFREG || found.kind == S_IFIFO ? FileIdentity(found) : nil
  }

  /// The file of an open descriptor; nil if it has no content of its own, as a terminal or a socket.
  package static func ofContent(at descriptor: Int32) -> FileIdentity? {
    stat(of: descriptor).flatMap(ofContent)
  }

  /// The file that a path leads to; nil if there is none, or if it has no content of its own.
  package static func ofContent(at path: String) -> FileIdentity? {
    stat(at: path).flatMap(ofContent)
  }

  /// The file that does not exist yet at a path; nil if its folder does not exist.
  static func ofMissing(at path: String) -> FileIdentity? {
    guard let folder = stat(at: parent(of: path)) else { return nil }
    var identity = FileIdentity(folder)
    identity.name = String(
      path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    return identity
  }
}

extension stat {
  /// `S_IFREG`, `S_IFDIR`, …
  var kind: mode_t { st_mode & S_IFMT }

  /// Whether only its owner, who runs this process, may read and write it.
  var isPrivate: Bool { st_mode & 0o077 == 0 && st_uid == geteuid() }
}

/// The status of an open descriptor; nil with `errno` set.
func stat(of descriptor: Int32) -> stat? {
  var found = stat()
  return unsafe fstat(descriptor, &found) == 0 ? found : nil
}

/// The status of the file that a path leads to; nil with `errno` set.
func stat(at path: String) -> stat? {
  var found = stat()
  return unsafe stat(path, &found) == 0 ? found : nil
}

/// The folder of a path.
func parent(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
