/// The options for the types of messages.
struct SchemaOptions: Sendable {
  /// Paths of FileDescriptorSets.
  var protosets: [String] = []

  /// Returns the schema in the files; nil when none were named.
  ///
  /// - Parameter deadline: when to give up waiting for the writer of a pipe; nil leaves it 15 s.
  func loaded(until deadline: ContinuousClock.Instant?) throws(ErrorReport) -> Schema? {
    protosets.isEmpty ? nil : try Schema(protosets: protosets, until: deadline)
  }

  static let all: [Option<SchemaOptions>] = [
    .value(
      "protoset", "FILE", .request,
      "read types from this FileDescriptorSet (repeatable)\nMade by protoc --include_imports"
        + " --descriptor_set_out=FILE or by buf build -o FILE.binpb.",
      parse: Parse.text, store: { $0.protosets.append($1) })
  ]
}
