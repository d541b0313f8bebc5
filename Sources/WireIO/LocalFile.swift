#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that is open to be read, a pipe perhaps, or standard input.
package final class LocalFile: Sendable {
  private let descriptor: Int32
  private let path: String

  package init(_ path: String) throws(IOError) {
    descriptor = SystemCalls.retrying { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw IOError(operation: "open \(path)") }
    self.path = path
  }

  /// Standard input, which stays open.
  package init() {
    descriptor = STDIN_FILENO
    path = "standard input"
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// Which file it is, whatever its names are.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let file: UInt64

    fileprivate init?(_ found: stat) {
      guard found.st_mode & S_IFMT == S_IFREG else { return nil }
      device = UInt64(truncatingIfNeeded: found.st_dev)
      file = UInt64(truncatingIfNeeded: found.st_ino)
    }
  }

  /// Nil when it is no regular file.
  package var identity: Identity? {
    var found = stat()
    return unsafe fstat(descriptor, &found) == 0 ? Identity(found) : nil
  }

  /// In bytes; nil when it is no regular file.
  package var size: Int? {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(found.st_size)
  }

  /// Which file has a path; nil when none has, or no regular one.
  package static func identity(of path: String) -> Identity? {
    var found = stat()
    return unsafe stat(path, &found) == 0 ? Identity(found) : nil
  }

  /// Whether what is written next to a path is not behind what was read: another file has it, or this one
  /// was cut off before.
  package func isReplaced(at path: String) -> Bool {
    var found = stat()
    guard let identity, unsafe stat(path, &found) == 0 else { return false }
    return Identity(found) != identity || lseek(descriptor, 0, SEEK_CUR) > found.st_size
  }

  /// Whether ``next()`` returns at once.
  package var isReady: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, 0) > 0
  }

  /// Waits for a moment, while others write.
  package static func pause() { _ = poll(nil, 0, 100) }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// What is in a file.
  package static func contents(of path: String) throws(IOError) -> [UInt8] {
    try LocalFile(path).contents()
  }

  /// All that there is from here on.
  ///
  /// - Parameter limit: reads no further once there are more bytes than this.
  package func contents(limit: Int = .max) throws(IOError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let chunk = try next()
      if chunk.isEmpty { break }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
    return bytes
  }

  /// The next 64 KiB or fewer; empty at the end. Waits where there is nothing yet.
  package func next() throws(IOError) -> [UInt8] {
    while true {
      var failure: IOError?
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let read = unsafe systemRead(descriptor, buffer.baseAddress, buffer.count)
        if read < 0 { failure = IOError(operation: "read \(path)") }
        count = max(0, read)
      }
      guard let failure else { return chunk }
      guard failure.code.rawValue == EAGAIN else { throw failure }
      // Standard input may have been made non-blocking by whoever shares it.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      unsafe poll(&waiting, 1, -1)
    }
  }
}

private func systemRead(
  _ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
  SystemCalls.retrying { unsafe read(descriptor, buffer, count) }
}
