/// The differences between C libraries, and the retry after a signal.
package enum SystemCalls {
  /// Repeats a call that a signal interrupted.
  @inlinable package static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// A non-blocking stream socket that no child process inherits and that raises no SIGPIPE.
  package static func streamSocket(_ family: Int32) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(family, SOCK_STREAM, 0)
      return descriptor == -1 ? -1 : prepare(descriptor)
    #elseif canImport(Musl)
      return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)
    #else
      let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
      return socket(family, Int32(bitPattern: flags), 0)
    #endif
  }

  /// Accepts the next waiting connection, with the options of `streamSocket`.
  package static func acceptStream(_ listener: Int32) -> Int32 {
    let descriptor = retrying { accept(listener, nil, nil) }
    return descriptor == -1 ? -1 : prepare(descriptor)
  }

  /// A non-blocking pipe that no child process inherits; `nil` with `errno` set.
  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: (read: Int32, write: Int32) = (-1, -1)
    let made = unsafe withUnsafeMutablePointer(to: &ends) {
      unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe systemPipe($0) }
    }
    guard made == 0 else { return nil }
    for descriptor in [ends.read, ends.write] where prepare(descriptor) == -1 { return nil }
    return ends
  }

  /// Calls `send`, which returns EPIPE instead of raising the signal.
  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return retrying { unsafe systemSend(descriptor, bytes.baseAddress, bytes.count, flags) }
  }

  /// Reads bytes of a file; returns their number, 0 at the end, or -1 with `errno` set.
  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    retrying { unsafe systemRead(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Writes the bytes to a file, if possible with one call. Returns their number, or the number of those
  /// written before a failure, with `errno` set.
  ///
  /// - Parameter patience: how long to wait while a non-blocking descriptor has no room, in milliseconds; -1
  ///   waits without a limit.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, patience: Int32 = 0
  ) -> Int {
    var count = 0
    while count < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[count...])
      let written = retrying { unsafe systemWrite(descriptor, rest.baseAddress, rest.count) }
      if written > 0 {
        count += written
      } else if written == 0 || errno != EAGAIN || !hasRoom(descriptor, within: patience) {
        break
      }
    }
    return count
  }

  package static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, patience: Int32 = 0
  ) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe write($0, to: descriptor, patience: patience) }
  }

  /// Waits until a descriptor can be written or has failed. Returns false after the time, with `errno` set.
  private static func hasRoom(_ descriptor: Int32, within patience: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if patience != 0, retrying({ unsafe poll(&waiting, 1, patience) }) > 0 { return true }
    errno = patience == 0 ? EAGAIN : ETIMEDOUT
    return false
  }

  /// Sets close-on-exec, non-blocking and, where it is an option, no SIGPIPE. Closes on failure.
  private static func prepare(_ descriptor: Int32) -> Int32 {
    let flags = fcntl(descriptor, F_GETFL)
    guard
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) != -1, flags != -1,
      fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != -1
    else {
      let reason = errno
      _ = close(descriptor)
      errno = reason
      return -1
    }
    #if canImport(Darwin)
      // Fails for a pipe, which does not need the option.
      _ = setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
    #endif
    return descriptor
  }

  /// Sets an integer socket option.
  package static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32)
    -> Int32
  {
    var value = value
    return unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}

private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 {
  unsafe pipe(ends)
}

private func systemSend(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  unsafe send(descriptor, bytes, count, flags)
}

private func systemRead(
  _ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
) -> Int {
  unsafe read(descriptor, buffer, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}

/// Calls `close` once: on Linux and Darwin the descriptor is closed even after EINTR.
package func closeDescriptor(_ descriptor: Int32) {
  _ = close(descriptor)
}
