import WireSystem

/// A new file that only its owner can read.
final class NewFile {
  private static let chunk = 1 << 16

  /// The option and the path: "--map map.html".
  private let name: String
  private let descriptor: Int32
  private var pending: [UInt8] = []

  private let path: String

  /// - Parameter option: the option that names the file, for errors.
  /// - Throws: a report if the file exists, or cannot be created.
  init(_ path: String, option: String) throws(ErrorReport) {
    self.path = path
    name = "\(option) \(escaped(path))"
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ErrorReport(
        local: "\(name): \(String(cString: strerror(errno)))",
        hint: errno == EEXIST
          ? "pass the path of a file that does not exist with \(option)"
          : "check the directory and its permissions in \(option)")
    }
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(ErrorReport) {
    pending += bytes
    if pending.count >= Self.chunk { try flush() }
  }

  func remove() { unlink(path) }

  func flush() throws(ErrorReport) {
    var written = 0
    while written < pending.count {
      let count = pending[written...].withUnsafeBytes { systemWrite(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ErrorReport(
          local: "\(name): \(String(cString: strerror(errno)))",
          hint: "check the file system of this file")
      }
      written += count
    }
    pending = []
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
