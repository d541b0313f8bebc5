import CommandLine
package import CommandShell

extension Operand {
  package static let method = Operand.custom(placeholder: "METHOD") { line in
    await line.schema.map { $0.methods(startedBy: line.current) } ?? []
  }
  package static let service = Operand.custom(placeholder: nil) { line in
    await line.schema.map { $0.services(startedBy: line.current) } ?? []
  }
  package static let symbol = Operand.custom(placeholder: nil) { line in
    await line.schema.map { $0.symbols(startedBy: line.current) } ?? []
  }
}

extension Completer.Line {
  /// Returns the types in the files of `--protoset`, or those of the server, or else the built-in ones; nil if
  /// a file is invalid.
  fileprivate var schema: Schema? {
    get async {
      let files =
        zip(typed, typed.dropFirst()).filter { $0.0 == "--protoset" }.map(\.1)
        + typed.filter { $0.hasPrefix("--protoset=") }.map { String($0.dropFirst(11)) }
      // A pipe may have no writer, which must not block the shell.
      guard files.allSatisfy(ProgramFile.isRegular) else { return nil }
      if !files.isEmpty { return try? Schema(protosets: files) }
      if let schema = await ServerSchema(console: console).schema(for: typed) { return schema }
      return try? EmbeddedSchema.schema()
    }
  }
}
