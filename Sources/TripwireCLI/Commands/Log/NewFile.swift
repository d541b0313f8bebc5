import Synchronization
import WireSystem

/// A new file that only its owner can read. It is removed unless it is finished: also when Ctrl-C, SIGTERM
/// or SIGHUP ends the process.
final class NewFile {
  private static let chunk = 1 << 16

  /// "--map out.html".
  private let name: String
  private let path: String
  private let descriptor: Int32
  private var isFinished = false
  /// The index of the path in ``UnfinishedFiles``.
  private var index: Int?
  private var pending: [UInt8] = []

  /// - Parameter option: the option that has the path, such as "--map".
  /// - Throws: a report if the file exists, or cannot be created.
  init(_ path: String, for option: String) throws(ErrorReport) {
    self.path = path
    name = "\(option) \(escaped(path))"
    exitOnSignals()
    // A signal between the two steps would leave the file.
    var (signals, before) = (sigset_t(), sigset_t())
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ErrorReport(
        local: "\(name): \(String(cString: strerror(errno)))",
        hint: errno == EEXIST
          ? "choose another path for \(option), or remove the existing file"
          : "check that the directory of \(option) exists and is writable")
    }
    self.descriptor = descriptor
    index = UnfinishedFiles.add(path)
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path) }
    if let index { UnfinishedFiles.forget(index) }
  }

  func write(_ bytes: [UInt8]) throws(ErrorReport) {
    pending += bytes
    if pending.count >= Self.chunk { try flush() }
  }

  /// Writes the rest, and keeps the file.
  func finish() throws(ErrorReport) {
    try flush()
    isFinished = true
    if let index { UnfinishedFiles.forget(index) }
    index = nil
  }

  private func flush() throws(ErrorReport) {
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

/// The paths of the files that are not finished: two for --anonymize with --mapping. A handler of signals
/// may neither lock nor allocate.
enum UnfinishedFiles {
  /// The addresses of C strings; 0 without one. Whoever takes one out owns it.
  private static let paths = InlineArray<2, Atomic<Int>> { _ in Atomic(0) }

  /// Returns the index of the path; nil if there are two already.
  fileprivate static func add(_ path: String) -> Int? {
    let copy = strdup(path)
    for index in paths.indices {
      let (isAdded, _) = paths[index].compareExchange(
        expected: 0, desired: Int(bitPattern: copy), ordering: .acquiringAndReleasing)
      if isAdded { return index }
    }
    free(copy)
    return nil
  }

  fileprivate static func forget(_ index: Int) { free(take(index)) }

  /// Removes the files, at a signal.
  static func remove() {
    for index in paths.indices {
      if let path = take(index) { unlink(path) }
    }
  }

  private static func take(_ index: Int) -> UnsafeMutablePointer<CChar>? {
    UnsafeMutablePointer(bitPattern: paths[index].exchange(0, ordering: .acquiringAndReleasing))
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
