extension Printer {
  /// Prints the registry of a file's messages, for the JSON of a google.protobuf.Any.
  mutating func printRegistry(_ model: FileModel, _ access: Options.Access) {
    block("nonisolated extension TypeRegistry {") { p in
      p.docs(["The messages of \(model.protoPath)."])
      // Public code stays in a program even if nothing calls it. With the attribute, the compiler emits it only
      // where it is called.
      if access == .public { p.line("@_alwaysEmitIntoClient") }
      p.block("\(p.access)static var \(model.registry): TypeRegistry {") { p in
        p.array("", model.messageNames.map { "\($0).self" })
      }
    }
  }
}
