/// The options for the types of messages.
struct SchemaOptions: Sendable {
  /// Paths of FileDescriptorSets.
  var protosets: [String] = []
  var protos = ProtoFiles()

  /// An error if two options contradict each other.
  var contradiction: UsageError? {
    if !protos.files.isEmpty, !protosets.isEmpty { return .conflict("--proto", "--protoset") }
    return protos.files.isEmpty && !protos.folders.isEmpty
      ? .requirement(of: "--import-path", "--proto") : nil
  }

  /// Returns the schema in the files; nil when none were named.
  ///
  /// - Parameter deadline: when to give up waiting for the writer of a pipe, or for protoc; nil leaves
  ///   the pipe 15 s, and protoc a minute.
  func loaded(until deadline: ContinuousClock.Instant?) async throws(ErrorReport) -> Schema? {
    if !protos.files.isEmpty { return try await protos.schema(until: deadline) }
    return protosets.isEmpty ? nil : try Schema(protosets: protosets, until: deadline)
  }

  static let all = [protoset] + ProtoFiles.options.map { $0.inside(\.protos) }

  static let protoset = Option<SchemaOptions>.value(
    "protoset", "FILE", .request,
    "read types from this FileDescriptorSet (repeatable)\nMade by protoc --include_imports"
      + " --descriptor_set_out=FILE or by buf build -o FILE.binpb.",
    parse: Parse.text, store: { $0.protosets.append($1) })
}
