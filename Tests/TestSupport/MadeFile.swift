import WireSystem

/// Gives `body` the path of a file that holds `bytes`, and removes the file afterwards.
@discardableResult
public func withFile<Result>(
  _ bytes: some Collection<UInt8>, _ body: (_ path: String) async throws -> Result
) async throws -> Result {
  let path = try withTemporaryFile([]) { $0 }
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  guard descriptor != -1 else { throw NoTemporaryFile() }
  defer { unlink(path) }
  let written = write(descriptor, Array(bytes), bytes.count)
  close(descriptor)
  guard written == bytes.count else { throw NoTemporaryFile() }
  return try await body(path)
}
