#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A temporary file that could not be made or written.
public struct NoTemporaryFile: Error {
  public init() {}
}

/// Gives `body` the path of a file that holds `bytes`, and removes the file afterwards.
@discardableResult
public func withTemporaryFile<Result>(
  _ bytes: some Collection<UInt8>, _ body: (_ path: String) throws -> Result
) throws -> Result {
  var template = Array("/tmp/tripwire-test-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor != -1 else { throw NoTemporaryFile() }
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { unlink(path) }
  let written = write(descriptor, Array(bytes), bytes.count)
  close(descriptor)
  guard written == bytes.count else { throw NoTemporaryFile() }
  return try body(path)
}
