import WireSystem

/// A file to which the secrets of connections are appended, one line each, in the NSS Key Log Format that
/// Wireshark reads.
final class KeyLog: Sendable {
  private let file: Int32
  private let failed: (@Sendable (IOError.Code) -> Void)?

  /// Creates the file, readable by its owner only, unless it exists.
  ///
  /// - Parameter failed: called for each line that cannot be written.
  init(
    appendingTo path: String, failed: (@Sendable (IOError.Code) -> Void)? = nil
  ) throws(TLSError) {
    self.failed = failed
    // A FIFO without a reader must not block.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
    file = unsafe open(path, flags, 0o600)
    guard file != -1 else {
      let fault = PEMFault.unreadable(.system(IOError.Code(rawValue: errno)))
      throw TLSError(TLSInputFault(input: .keyLog, path: path, fault: fault))
    }
  }

  deinit {
    _ = close(file)
  }

  /// Writes each line with one call, so that lines of several threads or programs do not mix. A full disk
  /// does not fail the connection.
  func append(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    guard SystemCalls.write(bytes[...], to: file) < bytes.count else { return }
    failed?(IOError.Code(rawValue: errno))
  }
}
