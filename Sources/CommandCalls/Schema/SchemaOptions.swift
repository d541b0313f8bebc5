package import CommandLine
package import CommandShell

/// The options for the types of messages.
package struct SchemaOptions: Sendable {
  /// Paths of FileDescriptorSets.
  package var protosets: [String] = []
  package var protos = ProtoFiles()

  package init() {}

  /// An error if standard input is read for something else, too.
  ///
  /// - Parameter use: what else is read from it, "token is"; nil for nothing.
  package func contradiction(withStandardInputFor use: String?) -> UsageError? {
    let count = protosets.count { $0 == "-" }
    guard count > 0, use != nil || count > 1 else { return nil }
    return UsageError(
      message: use.map { "--protoset - cannot read stdin: the \($0) read from it" }
        ?? "--protoset -: stdin can be read only once", options: ["protoset"],
      hint: "write the descriptors to a file, and pass it with --protoset FILE")
  }

  /// Returns the schema in the files; nil when none were named.
  ///
  /// - Parameter deadline: when to give up waiting for the writer of a pipe, or for protoc; nil leaves
  ///   the pipe 15 s, and protoc a minute.
  package func loaded(until deadline: ContinuousClock.Instant?) async throws(ErrorReport) -> Schema?
  {
    if !protos.files.isEmpty { return try await protos.schema(until: deadline) }
    return protosets.isEmpty ? nil : try Schema(protosets: protosets, until: deadline)
  }

  package static let all = [protoset] + ProtoFiles.options.map { $0.inside(\.protos) }

  package static let protoset = Option<SchemaOptions>.value(
    "protoset", "FILE", .request,
    "read types from this FileDescriptorSet (repeatable)\nFILE may be compressed with gzip; - reads stdin. Made by protoc --include_imports"
      + " --descriptor_set_out=FILE or by buf build -o FILE.binpb.",
    parse: Parse.text, store: { $0.protosets.append($1) })
}
