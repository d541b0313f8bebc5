/// A regular file that only this process appends to, record by record. Each record is written
/// completely or not at all, unless the disk or the process fails during a write.
package final class AppendedFile: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Opens the file, or creates it with read access for its owner only.
  ///
  /// - Parameter path: of ``OutputDestination/file(_:)``.
  /// - Throws: also if another process appends to it in this way, or if it is a symbolic link, a pipe or a
  ///   device.
  package init(_ path: String) throws(IOError) {
    self.path = path
    var opened = try Self.openLocked(path)
    // The process that held the lock a moment ago may have renamed the file.
    while !Self.isFile(opened, at: path) {
      _ = SystemCalls.retrying { flock(opened, LOCK_UN) }
      close(opened)
      opened = try Self.openLocked(path)
    }
    descriptor = opened
  }

  private static func openLocked(_ path: String) throws(IOError) -> Int32 {
    // Does not wait for a reader if it is a pipe.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    let descriptor = SystemCalls.retrying { unsafe open(path, flags, 0o600) }
    guard descriptor >= 0 else { throw IOError(operation: "open \(path)") }
    do throws(IOError) {
      guard try status(of: descriptor, path).kind == S_IFREG else {
        throw IOError(
          code: .notSupported, operation: "append to \(path), which is not a regular file")
      }
      // Not every file system supports locks.
      if SystemCalls.retrying({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0, errno == EWOULDBLOCK {
        throw IOError(operation: "lock \(path)")
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var named = stat()
    guard let own = stat(of: descriptor), unsafe lstat(path, &named) == 0 else { return false }
    return FileIdentity(own) == FileIdentity(named)
  }

  // A child that is being spawned shares the lock until it calls exec, so closing does not release
  // it.
  deinit {
    _ = SystemCalls.retrying { flock(descriptor, LOCK_UN) }
    close(descriptor)
  }

  /// Whether the path still refers to it. Others may have moved or removed the file.
  package var isInPlace: Bool { Self.isFile(descriptor, at: path) }

  /// Whether no folder has it any more, so that it is lost when it is closed.
  package var isRemoved: Bool { stat(of: descriptor)?.st_nlink == 0 }

  /// Whether only its owner, who runs this process, may read and write it.
  package var isPrivate: Bool {
    get throws(IOError) { try Self.status(of: descriptor, path).isPrivate }
  }

  /// Restricts a file of this process's user to its owner.
  package func makePrivate() throws(IOError) {
    guard SystemCalls.retrying({ fchmod(descriptor, 0o600) }) == 0 else {
      throw IOError(operation: "change the permissions of \(path)")
    }
  }

  /// In bytes.
  package var size: Int {
    get throws(IOError) { Int(try Self.status(of: descriptor, path).st_size) }
  }

  /// Truncates the file to this many bytes.
  package func truncate(to size: Int) throws(IOError) {
    guard SystemCalls.retrying({ ftruncate(descriptor, off_t(size)) }) == 0 else {
      throw IOError(operation: "shorten \(path)")
    }
  }

  /// Writes the records, if possible with one system call.
  ///
  /// - Throws: if they could not be written. Then none of them is in the file.
  package func append(_ records: ArraySlice<UInt8>) throws(IOError) {
    let written = SystemCalls.write(records, to: descriptor)
    guard written < records.count else { return }
    let error = IOError(operation: "write \(path)")
    if written > 0 { try truncate(to: try size - written) }
    throw error
  }

  private static func status(of descriptor: Int32, _ path: String) throws(IOError) -> stat {
    guard let found = stat(of: descriptor) else { throw IOError(operation: "stat \(path)") }
    return found
  }

  /// Renames a file and replaces one that has the new name.
  package static func rename(_ path: String, to other: String) throws(IOError) {
    guard systemRename(path, other) == 0 else {
      throw IOError(operation: "rename \(path) to \(other)")
    }
  }
}

private func systemRename(_ path: String, _ other: String) -> Int32 {
  unsafe rename(path, other)
}
