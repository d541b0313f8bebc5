/// Reads every file that a user or the environment names: a regular file, a pipe, a device, or
/// standard input.
///
/// Opening never waits, not even for the writer of a FIFO. Reading waits for a writer until a
/// deadline passes or the reading task is canceled.
package final class LocalFile: Sendable {
  private let descriptor: Int32
  private let path: String
  /// Whether a read may have to wait.
  package let mayWait: Bool

  package init(_ path: String) throws(IOError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    descriptor = SystemCalls.retrying { unsafe open(path, flags) }
    guard descriptor >= 0 else { throw IOError(operation: "open \(path)") }
    self.path = path
    mayWait = Self.mayWait(descriptor)
  }

  /// Called once, before the first read of standard input, if that is a terminal.
  package static let willReadTerminal = Locked<(@Sendable () -> Void)?>(nil)

  /// Whether Ctrl-D has ended the input from the terminal, which could still be read.
  private static let hasTerminalEnded = Locked(false)

  /// Standard input, which is never closed. To be read at once.
  package init() {
    if isatty(STDIN_FILENO) == 1 { Self.willReadTerminal.withLock { $0.take() }?() }
    descriptor = STDIN_FILENO
    path = "stdin"
    mayWait = Self.mayWait(descriptor)
  }

  private static func mayWait(_ descriptor: Int32) -> Bool {
    stat(of: descriptor)?.kind != S_IFREG
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// Nil if it is not a regular file.
  package var identity: FileIdentity? { Self.identity(stat(of: descriptor)) }

  /// In bytes; nil if it is not a regular file.
  package var size: Int? {
    guard let found = stat(of: descriptor), found.kind == S_IFREG else { return nil }
    return Int(found.st_size)
  }

  /// Returns the identity of the file at a path; nil if there is no regular file.
  package static func identity(of path: String) -> FileIdentity? { identity(stat(at: path)) }

  private static func identity(_ found: stat?) -> FileIdentity? {
    found.flatMap { $0.kind == S_IFREG ? FileIdentity($0) : nil }
  }

  /// The user who owns the file, and the bits of its permissions.
  package var protection: (owner: UInt32, permissions: UInt32)? {
    guard let found = stat(of: descriptor) else { return nil }
    return (found.st_uid, UInt32(found.st_mode & 0o7777))
  }

  /// Whether later writes to the path are not appended to the bytes that were read: the path has another
  /// file, or this one was truncated before the position.
  package func isReplaced(at path: String) -> Bool {
    guard let identity, let found = stat(at: path) else { return false }
    return FileIdentity(found) != identity || lseek(descriptor, 0, SEEK_CUR) > found.st_size
  }

  /// Whether ``next()`` returns at once.
  package var isReady: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, 0) > 0
  }

  /// Waits for a moment for other processes to write.
  ///
  /// - Parameter output: a descriptor that is written to; nil for none.
  /// - Throws: `brokenPipe` if nobody reads the output any more.
  package static func pause(writingTo output: Int32?) throws(IOError) {
    var watched = pollfd(fd: output ?? -1, events: 0, revents: 0)
    _ = unsafe poll(&watched, 1, 100)
    if watched.isBroken { throw IOError(code: .brokenPipe, operation: "write") }
  }

  /// Waits for a moment for other processes to write.
  static func pause() { _ = poll(nil, 0, 100) }

  /// Returns a path that does not depend on the working directory; the path itself if that has none.
  package static func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(directory) }
    return unsafe String(cString: directory) + "/" + path
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Returns the reason why a path is not that of a directory; nil if it is.
  package static func directoryFault(_ path: String) -> IOError.Code? {
    guard let found = stat(at: path) else { return IOError.Code(rawValue: errno) }
    return found.kind == S_IFDIR ? nil : IOError.Code(rawValue: ENOTDIR)
  }

  /// Whether the file exists, but this process has no permission to read it.
  package static func isForbidden(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0 && access(path, R_OK) != 0
  }

  /// Whether users other than this process's can access the regular file at a path.
  package static func isShared(_ path: String) -> Bool {
    stat(at: path).map { $0.kind == S_IFREG && !$0.isPrivate } ?? false
  }

  /// The time that a file may take to arrive if no deadline is set.
  package static let defaultTimeout = Duration.seconds(15)

  /// Returns the bytes of a file.
  ///
  /// - Parameters:
  ///   - limit: the largest size in bytes.
  ///   - deadline: ends the wait for a writer; nil waits up to ``defaultTimeout``.
  package static func contents(
    of path: String, limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(FileReadError) -> [UInt8] {
    let file: LocalFile
    do throws(IOError) {
      file = try LocalFile(path)
    } catch {
      throw FileReadError(error)
    }
    return try file.contents(limit: limit, until: deadline ?? .now + defaultTimeout)
  }

  /// Returns the bytes from the current position to the end.
  ///
  /// - Parameters:
  ///   - limit: the largest number of bytes.
  ///   - deadline: ends the wait for a writer; nil waits without a limit.
  package func contents(
    limit: Int, until deadline: ContinuousClock.Instant? = nil
  ) throws(FileReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(IOError) {
      while bytes.count <= limit {
        let chunk = try next(until: deadline)
        if chunk.isEmpty { return bytes }
        if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      }
    } catch {
      throw FileReadError(error)
    }
    throw .tooLarge(limit: limit)
  }

  /// Returns the next bytes, at most 64 KiB; empty at the end. Waits while there are none.
  ///
  /// - Parameters:
  ///   - deadline: ends the wait; nil waits without a limit.
  ///   - output: the descriptor that is written to; nil for none.
  /// - Throws: `timedOut` after the deadline, `canceled` if the task is canceled, `brokenPipe` if nobody
  ///   reads the output any more.
  package func next(
    until deadline: ContinuousClock.Instant? = nil, writingTo output: Int32? = nil
  ) throws(IOError) -> [UInt8] {
    let isTerminal = descriptor == STDIN_FILENO && isatty(STDIN_FILENO) == 1
    while true {
      if isTerminal, Self.hasTerminalEnded.withLock({ $0 }) { return [] }
      // Before each read, because reading a FIFO without a writer would return the end of the file.
      if mayWait { try waitUntilReadable(deadline, output) }
      var failure: IOError?
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let read = unsafe SystemCalls.read(descriptor, buffer)
        if read < 0 { failure = IOError(operation: "read \(path)") }
        count = max(0, read)
      }
      if isTerminal, failure == nil, chunk.isEmpty { Self.hasTerminalEnded.withLock { $0 = true } }
      guard let failure else { return chunk }
      // Another reader of the same pipe was faster.
      guard failure.code == .wouldBlock else { throw failure }
    }
  }

  /// The interval at which a wait checks whether its task was canceled, in milliseconds.
  private static let cancellationInterval: Int32 = 50

  private func waitUntilReadable(
    _ deadline: ContinuousClock.Instant?, _ output: Int32?
  ) throws(IOError) {
    while true {
      let left = deadline.map { max(.zero, $0 - .now) / .milliseconds(1) } ?? .infinity
      let interval = Int32(min(left.rounded(.up), Double(Self.cancellationInterval)))
      // poll(2) ignores negative descriptors.
      var watched = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output ?? -1, events: 0, revents: 0),
      ]
      let count = unsafe poll(&watched, 2, interval)
      if count > 0, watched[1].isBroken {
        throw IOError(code: .brokenPipe, operation: "write")
      }
      if count > 0 { return }
      if count < 0, errno != EINTR { throw IOError(operation: "wait for \(path)") }
      if Task.isCancelled { throw IOError(code: .canceled, operation: "read \(path)") }
      if left <= 0 { throw IOError(code: .timedOut, operation: "read \(path)") }
    }
  }
}

extension pollfd {
  /// Whether the reader of a pipe, or the peer of a socket, has closed it.
  fileprivate var isBroken: Bool { revents & Int16(POLLERR | POLLHUP) != 0 }
}
