#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file open for reading, closed when it goes.
struct LogFile: ~Copyable {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws(BinaryLogError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw BinaryLogError(path: path, reason: String(cString: strerror(errno)))
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// The next bytes, at most `limit`; empty at the end of the file.
  func next(limit: Int) throws(BinaryLogError) -> [UInt8] {
    while true {
      var failure: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
        let count = read(descriptor, buffer.baseAddress, limit)
        if count < 0 { failure = errno }
        initialized = max(count, 0)
      }
      if failure == 0 { return bytes }
      guard failure == EINTR else {
        throw BinaryLogError(path: path, reason: String(cString: strerror(failure)))
      }
    }
  }
}
