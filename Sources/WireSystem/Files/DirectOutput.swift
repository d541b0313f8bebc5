/// An output whose bytes go to their place as they are written: an inherited descriptor, a FIFO, a device, a socket,
/// or the end of a file.
package final class DirectOutput: Sendable {
  private let descriptor: Int32
  private let name: String

  /// Returns nil if the destination is a file.
  ///
  /// - Parameter waitsForReader: whether to wait until a process reads the FIFO. Otherwise a FIFO without a
  ///   reader is an error.
  package init?(_ destination: OutputDestination, waitsForReader: Bool) throws(IOError) {
    switch destination {
    case .file: return nil
    case .descriptor(let number):
      name = number == STDOUT_FILENO ? "stdout" : "/dev/fd/\(number)"
      descriptor = fcntl(number, F_DUPFD_CLOEXEC, 3)
    case .device(let path):
      name = path
      let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (waitsForReader ? 0 : O_NONBLOCK)
      descriptor = SystemCalls.retrying { unsafe open(path, flags) }
    }
    guard descriptor >= 0 else { throw IOError(operation: "open \(name)") }
  }

  /// A file to which other processes may append, too. Creates it with access for its owner only.
  ///
  /// - Parameter path: of ``OutputDestination/file(_:)``.
  package init(appendingTo path: String) throws(IOError) {
    name = path
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    descriptor = SystemCalls.retrying { unsafe open(path, flags, 0o600) }
    guard descriptor >= 0 else { throw IOError(operation: "open \(path)") }
  }

  deinit { close(descriptor) }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes the bytes. Waits while a reader is slow. Returns the number of bytes that were written, and the
  /// reason if these are not all.
  ///
  /// - Parameter patience: how long to wait for the reader at a time, in milliseconds; -1 waits without a
  ///   limit.
  package func write(
    _ bytes: ArraySlice<UInt8>, patience: Int32 = -1
  ) -> (count: Int, failure: IOError?) {
    let count = SystemCalls.write(bytes, to: descriptor, patience: patience)
    return (count, count == bytes.count ? nil : IOError(operation: "write \(name)"))
  }
}
