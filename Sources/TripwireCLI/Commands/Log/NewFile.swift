import WireSystem

/// A file that only its owner can read. It has a temporary name in the same directory until it is finished, so
/// it is never incomplete. The temporary file is removed if the file is not finished: also when Ctrl-C, SIGTERM
/// or SIGHUP ends the process.
final class NewFile {
  private static let chunk = 1 << 16

  private let option: String
  /// "--map out.html".
  private let name: String
  private let path: String
  private let isReplacement: Bool
  private let temporaryPath: String
  private let descriptor: Int32
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - option: the option that has the path, such as "--map".
  ///   - isReplacement: whether the file may replace another one, which then keeps its owner and mode.
  /// - Throws: a report if the file cannot be created.
  init(_ path: String, for option: String, isReplacement: Bool = false) throws(ErrorReport) {
    self.option = option
    self.isReplacement = isReplacement
    name = "\(option) \(escaped(path))"
    let old = try Self.replaceableFile(path, name, option, isReplacement)
    let path = old == nil ? path : resolved(path)
    self.path = path
    let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    do throws(IOError) {
      (descriptor, temporaryPath) = try UnfinishedFiles.create("\(directory).tripwire-XXXXXX")
    } catch {
      throw Self.error(
        name, error.code, hint: "check that the directory of \(option) exists and is writable")
    }
    if let old {
      _ = fchown(descriptor, old.st_uid, old.st_gid)
      _ = fchmod(descriptor, old.st_mode & 0o777)
    }
  }

  deinit {
    close(descriptor)
    UnfinishedFiles.remove(temporaryPath)
  }

  /// Returns the file that will be replaced; nil if there is none.
  private static func replaceableFile(
    _ path: String, _ name: String, _ option: String, _ isReplacement: Bool
  ) throws(ErrorReport) -> stat? {
    if !isReplacement, exists(path) { throw existing(name, option) }
    var old = stat()
    guard stat(path, &old) == 0 else {
      let code = IOError.Code(rawValue: errno)
      guard code == .noSuchFile else {
        throw error(name, code, hint: "choose another path for \(option)")
      }
      return nil
    }
    guard old.st_mode & S_IFMT == S_IFREG else {
      throw ErrorReport(
        local: "\(name): not a regular file", hint: "choose another path for \(option)")
    }
    guard access(path, W_OK) == 0 else {
      throw error(
        name, IOError.Code(rawValue: errno), hint: "choose another path for \(option)")
    }
    return old
  }

  private static func error(_ name: String, _ code: IOError.Code, hint: String) -> ErrorReport {
    ErrorReport(local: "\(name): \(code)", hint: hint)
  }

  private static func existing(_ name: String, _ option: String) -> ErrorReport {
    error(
      name, .fileExists, hint: "choose another path for \(option), or remove the existing file")
  }

  func write(_ bytes: [UInt8]) throws(ErrorReport) {
    pending += bytes
    if pending.count >= Self.chunk { try flush() }
  }

  /// Writes the rest, and gives the file its name.
  func finish() throws(ErrorReport) {
    try flush()
    if !isReplacement, exists(path) { throw Self.existing(name, option) }
    do throws(IOError) {
      try UnfinishedFiles.rename(temporaryPath, to: path)
    } catch {
      throw Self.error(name, error.code, hint: "choose another path for \(option)")
    }
  }

  private func flush() throws(ErrorReport) {
    guard SystemCalls.write(pending[...], to: descriptor) == pending.count else {
      let code = errno
      throw Self.error(
        name, IOError.Code(rawValue: code),
        hint: code == ENOSPC
          ? "free disk space, or choose another path for \(option)"
          : "check the file system of this file")
    }
    pending = []
  }
}

/// The temporary files of this process. A signal that ends the process removes them.
private enum UnfinishedFiles {
  private static let paths = Locked(Set<String>())

  /// A handler of signals may not lock; the thread that gets the numbers of signals may.
  private static let removalAtSignals: Void = onSignals([SIGINT, SIGTERM, SIGHUP]) { number in
    paths.withLock { paths in
      for path in paths { unlink(path) }
      exitNow(.signal(number))
    }
  }

  /// Creates a file.
  ///
  /// - Parameter template: its path, with "XXXXXX" at the end for random letters.
  static func create(_ template: String) throws(IOError) -> (descriptor: Int32, path: String) {
    _ = removalAtSignals
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
}

private func exists(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0
}

/// The path of an existing file without symbolic links.
private func resolved(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}

private func systemRename(_ path: String, _ target: String) -> Int32 { rename(path, target) }
