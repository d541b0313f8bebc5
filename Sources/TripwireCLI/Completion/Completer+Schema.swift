extension Completer {
  /// Returns the types in the files of `--protoset`, or those of the server, or else the built-in ones; nil if
  /// a file is invalid.
  func schema(_ typed: [String]) async -> Schema? {
    let files =
      zip(typed, typed.dropFirst()).filter { $0.0 == "--protoset" }.map(\.1)
      + typed.filter { $0.hasPrefix("--protoset=") }.map { String($0.dropFirst(11)) }
    // A pipe may have no writer, which must not block the shell.
    guard files.allSatisfy(ProgramFile.isRegular) else { return nil }
    if !files.isEmpty { return try? Schema(protosets: files) }
    if let schema = await serverSchema(typed) { return schema }
    return try? EmbeddedSchema.schema()
  }
}
