/// Replaces a small file as a whole: a reader finds the old bytes or the new ones, also after a crash.
package struct ReplacedFile {
  /// The path without symbolic links, so that a link stays one.
  private let path: String
  private let directory: String
  private let lock: DirectoryLock

  /// Creates the directory of the file, for its owner only, and keeps other processes from replacing files
  /// in it as long as `self` exists.
  package init(_ path: String) throws(IOError) {
    guard case .file(let path) = try OutputDestination(path) else {
      throw IOError(code: .notSupported, operation: "replace \(path)")
    }
    self.path = path
    directory = parent(of: path)
    try createDirectories(above: path)
    lock = try DirectoryLock(directory)
    // The lock excludes other processes that write.
    if lock.isHeld { removeTemporaryFiles() }
  }

  /// Removes the temporary files of processes that were killed.
  private func removeTemporaryFiles() {
    guard let stream = unsafe opendir(directory) else { return }
    defer { unsafe closedir(stream) }
    let start = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed() + Array(".".utf8)
    var found: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      let number = name.dropFirst(start.count).dropLast(Self.ending.utf8.count)
      if name.starts(with: start), name.reversed().starts(with: Self.ending.utf8.reversed()),
        !number.isEmpty, number.allSatisfy({ (48...57).contains($0) })
      {
        found.append(String(decoding: number, as: UTF8.self))
      }
    }
    for number in found { unsafe unlink("\(path).\(number)\(Self.ending)") }
  }

  private static let ending = ".new"

  /// Writes the bytes to a temporary file in the same directory, which only its owner may read, and
  /// renames it.
  ///
  /// - Throws: the first failure. Then the file is as before.
  package func write(_ bytes: [UInt8]) throws(IOError) {
    // A signal would leave the temporary file.
    var (all, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }

    let temporary = "\(path).\(getpid())\(Self.ending)"
    do throws(IOError) {
      try Self.writeNew(temporary, bytes)
      try AppendedFile.rename(temporary, to: path)
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    // Not every file system can do this; the new file is in place anyway.
    _ = lock.synchronize()
  }

  private static func writeNew(_ path: String, _ bytes: [UInt8]) throws(IOError) {
    // From a process that was killed, with the same number, if there is no lock.
    unsafe unlink(path)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = SystemCalls.retrying { unsafe open(path, flags, 0o600) }
    guard descriptor >= 0 else { throw IOError(operation: "create \(path)") }
    do throws(IOError) {
      guard SystemCalls.write(bytes[...], to: descriptor) == bytes.count,
        SystemCalls.retrying({ fsync(descriptor) }) == 0
      else { throw IOError(operation: "write \(path)") }
    } catch {
      _ = close(descriptor)
      throw error
    }
    guard close(descriptor) == 0 else { throw IOError(operation: "write \(path)") }
  }
}

/// Creates the missing directories of a path, for their owner only.
package func createDirectories(above path: String) throws(IOError) {
  let directory = parent(of: path)
  guard unsafe mkdir(directory, 0o700) != 0, errno != EEXIST else { return }
  guard errno == ENOENT, directory != "/", directory != "." else {
    throw IOError(operation: "create the directory \(directory)")
  }
  try createDirectories(above: directory)
  guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else {
    throw IOError(operation: "create the directory \(directory)")
  }
}

/// A lock between processes that replace files in a directory.
private final class DirectoryLock: Sendable {
  private let descriptor: Int32
  /// Whether the file system supports locks.
  let isHeld: Bool

  /// The time that another process may hold the lock.
  private static let lockTimeout = Duration.seconds(10)

  init(_ path: String) throws(IOError) {
    let descriptor = SystemCalls.retrying {
      unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw IOError(operation: "open \(path)") }
    self.descriptor = descriptor
    let end = ContinuousClock.now + Self.lockTimeout
    while SystemCalls.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK else {
        isHeld = false
        return
      }
      guard ContinuousClock.now < end else {
        _ = close(descriptor)
        throw IOError(code: .wouldBlock, operation: "lock \(path)")
      }
      LocalFile.pause()
    }
    isHeld = true
  }

  func synchronize() -> Bool { SystemCalls.retrying { fsync(descriptor) } == 0 }

  deinit { close(descriptor) }
}
