import WireSystem

/// A temporary file that replaces another one, or becomes a new one, when it is complete. It is removed if it is not
/// completed: also when Ctrl-C, SIGTERM or SIGHUP ends the process.
final class ReplacementFile {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32

  /// Creates a file that only its owner can access, or that has the owner and the mode of the present one.
  ///
  /// - Parameter path: of ``OutputDestination/file(_:)``.
  init(of path: String) throws(IOError) {
    self.path = path
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    (descriptor, temporaryPath) = try UnfinishedFiles.create("\(folder).tripwire-XXXXXX")
    var present = stat()
    if stat(path, &present) == 0 {
      _ = fchown(descriptor, present.st_uid, present.st_gid)
      _ = fchmod(descriptor, present.st_mode & 0o777)
    }
  }

  deinit {
    close(descriptor)
    UnfinishedFiles.remove(temporaryPath)
  }

  func write(_ bytes: [UInt8]) throws(IOError) {
    guard SystemCalls.write(bytes[...], to: descriptor) == bytes.count else {
      throw IOError(operation: "write \(temporaryPath)")
    }
  }

  /// Gives the file its name.
  func finish() throws(IOError) { try UnfinishedFiles.rename(temporaryPath, to: path) }
}

/// The temporary files of this process. They are removed when a signal ends the process.
enum UnfinishedFiles {
  private static let paths = Locked(Set<String>())

  /// Creates a file.
  ///
  /// - Parameter template: its path, with "XXXXXX" at the end for random letters.
  static func create(_ template: String) throws(IOError) -> (descriptor: Int32, path: String) {
    exitOnSignals()
    let result: Result<(descriptor: Int32, path: String), IOError> = paths.withLock { paths in
      var path = Array(template.utf8CString)
      let descriptor = mkstemp(&path)
      guard descriptor >= 0 else { return .failure(IOError(operation: "create \(template)")) }
      let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      paths.insert(name)
      return .success((descriptor, name))
    }
    return try result.get()
  }

  static func rename(_ path: String, to target: String) throws(IOError) {
    let result: Result<Void, IOError> = paths.withLock { paths in
      guard systemRename(path, target) == 0 else {
        return .failure(IOError(operation: "rename \(path)"))
      }
      paths.remove(path)
      return .success(())
    }
    try result.get()
  }

  static func remove(_ path: String) {
    paths.withLock { paths in
      if paths.remove(path) != nil { unlink(path) }
    }
  }

  /// Removes the files, then calls `end`. No file can be created in between.
  static func removeAll(_ end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { unlink(path) }
      end()
    }
  }
}

private func systemRename(_ path: String, _ target: String) -> Int32 { rename(path, target) }
