import WireSystem

/// A temporary file could not be created or written.
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

/// Like ``withTemporaryFile(_:_:)``, for an asynchronous `body`.
@discardableResult
public func withFile<Result>(
  _ bytes: some Collection<UInt8>, _ body: (_ path: String) async throws -> Result
) async throws -> Result {
  let path = try withTemporaryFile([]) { $0 }
  defer { unlink(path) }
  try appendToFile(path, bytes)
  return try await body(path)
}

/// Gives `body` the path of an empty directory, and removes it with its files afterwards.
@discardableResult
public func withTemporaryDirectory<Result>(
  _ body: (_ path: String) async throws -> Result
) async throws -> Result {
  var template = Array("/tmp/tripwire-test-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw NoTemporaryFile() }
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer {
    for name in names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
  return try await body(path)
}

/// Returns the names of the files in a directory, sorted.
public func names(in directory: String) -> [String] {
  guard let stream = opendir(directory) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// Appends bytes to a file, which is created if it does not exist.
public func appendToFile(_ path: String, _ bytes: some Collection<UInt8>) throws {
  let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
  guard descriptor != -1 else { throw NoTemporaryFile() }
  defer { close(descriptor) }
  guard write(descriptor, Array(bytes), bytes.count) == bytes.count else { throw NoTemporaryFile() }
}
