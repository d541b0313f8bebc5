#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that cannot be read.
struct FileError: Error {
  /// The system's words.
  let reason: String

  init(errno: Int32) { reason = String(cString: strerror(errno)) }
}

/// A file that is open to be read.
final class LocalFile: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws(FileError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno) }
  }

  deinit { close(descriptor) }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func contents(of path: String) throws(FileError) -> [UInt8] {
    let file = try LocalFile(path)
    var bytes: [UInt8] = []
    while true {
      let chunk = try read(file.descriptor)
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  /// The next 64 KiB or fewer; empty at the end. Waits where there is nothing yet.
  func next() throws(FileError) -> [UInt8] { try Self.read(descriptor) }

  static func read(_ descriptor: Int32) throws(FileError) -> [UInt8] {
    while true {
      var failure: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        #if canImport(Darwin)
          let read = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
          let read = Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          let read = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
        if read < 0 { failure = errno }
        count = max(0, read)
      }
      switch failure {
      case 0: return chunk
      case EINTR: continue
      case EAGAIN:
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
      default: throw FileError(errno: failure)
      }
    }
  }
}
