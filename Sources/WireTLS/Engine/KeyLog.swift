import WireSystem

/// A file to which the secrets of connections are appended, line by line, in the form that Wireshark
/// and others read (NSS Key Log Format).
final class KeyLog: Sendable {
  private let file: Int32

  /// Makes the file, for its owner alone to read, unless it is there.
  init(appendingTo path: String) throws(TLSError) {
    // Without waiting for a reader, if it is a FIFO.
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

  /// One write a line, so that lines of several threads or programs do not mix. A full disk is not
  /// worth a connection.
  func append(_ line: String) {
    _ = unsafe write(file, line + "\n", line.utf8.count + 1)
  }
}
