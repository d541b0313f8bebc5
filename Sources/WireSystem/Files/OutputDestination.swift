/// The place to which the bytes of an output go. Its path is resolved once, and only a file that this path names is
/// ever replaced or renamed.
package enum OutputDestination: Hashable, Sendable {
  /// A descriptor that this process inherited: `-` and `/dev/stdout` are 1, `/dev/fd/3` is 3.
  case descriptor(Int32)
  /// A FIFO, a device or a socket, and its path.
  case device(String)
  /// A regular file, or none yet. The last part of the path is not a symbolic link.
  case file(String)

  /// The limit of Linux.
  private static let linkLimit = 40

  /// Follows the symbolic links of a path. A link to a file that does not exist leads to the file to create.
  ///
  /// - Parameter path: `-` is stdout.
  /// - Throws: if the path leads to a directory, a disk, a descriptor that cannot be written, or a file that
  ///   was removed while another process has it open, or if it cannot be followed.
  package init(_ path: String) throws(IOError) {
    if path == "-" {
      self = try Self.inherited(STDOUT_FILENO, path)
      return
    }
    var end = path
    for _ in 0..<Self.linkLimit {
      if let number = Self.descriptor(at: end) {
        self = try Self.inherited(number, path)
        return
      }
      guard let target = Self.target(of: end) else {
        self = try Self.destination(at: end, from: path)
        return
      }
      end = target.hasPrefix("/") ? target : "\(parent(of: end))/\(target)"
    }
    throw IOError(code: IOError.Code(rawValue: ELOOP), operation: "open \(path)")
  }

  /// - Parameters:
  ///   - end: the path without links.
  ///   - path: the path as it was given.
  private static func destination(
    at end: String, from path: String
  ) throws(IOError) -> OutputDestination {
    var named = stat()
    guard unsafe lstat(end, &named) == 0 else {
      let missing = IOError(operation: "open \(end)")
      guard missing.code == .noSuchFile else { throw missing }
      // The text of some links of /proc is not the path of what they lead to.
      guard let found = stat(at: path) else { return .file(end) }
      guard found.kind != S_IFREG else { throw missing }
      return .device(path)
    }
    switch named.kind {
    case S_IFDIR: throw IOError(code: .isADirectory, operation: "open \(end)")
    case S_IFREG: return .file(end)
    case S_IFBLK: throw IOError(code: .notSupported, operation: "write \(end)")
    default: return .device(end)
    }
  }

  /// Returns the target of a symbolic link; nil if it is none.
  private static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(link, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  // MARK: Descriptors

  /// Returns the number if a path names a descriptor of this process. Opening such a path would start at the
  /// beginning of its file, and would fail for a socket.
  private static func descriptor(at path: String) -> Int32? {
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()
    guard !name.isEmpty, name.allSatisfy({ (48...57).contains($0) }),
      let number = Int32(String(decoding: name, as: UTF8.self)),
      let folder = resolved(parent(of: path))
    else { return nil }
    let own = ["/proc/self/fd", "/proc/thread-self/fd"].compactMap(resolved) + ["/dev/fd"]
    return own.contains(folder) ? number : nil
  }

  /// Returns the path of an existing file without links; nil if there is none.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// - Throws: if the descriptor is not open for writing, or is one that this process opened for itself.
  private static func inherited(
    _ number: Int32, _ path: String
  ) throws(IOError) -> OutputDestination {
    let access = fcntl(number, F_GETFL)
    guard access != -1, access & O_ACCMODE != O_RDONLY, fcntl(number, F_GETFD) & FD_CLOEXEC == 0
    else { throw IOError(code: IOError.Code(rawValue: EBADF), operation: "write \(path)") }
    return .descriptor(number)
  }

  // MARK: Identity

  /// Identifies the file regardless of the path, also if it does not exist yet; nil for what has no content
  /// of its own, as a terminal, `/dev/null` or a socket.
  package var identity: FileIdentity? {
    switch self {
    case .descriptor(let number): FileIdentity.ofContent(at: number)
    case .device(let path): FileIdentity.ofContent(at: path)
    case .file(let path): FileIdentity.ofContent(at: path) ?? FileIdentity.ofMissing(at: path)
    }
  }
}
