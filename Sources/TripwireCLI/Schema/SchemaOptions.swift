/// Where a command was told to look for the types of messages.
struct SchemaOptions: Sendable {
  /// Paths of FileDescriptorSets.
  var protosets: [String] = []

  static let all: [Option<SchemaOptions>] = [
    .value(
      "protoset", "FILE", .request,
      "take services and types from this FileDescriptorSet (repeatable): the output of"
        + " protoc --include_imports --descriptor_set_out=FILE, or of buf build -o FILE.binpb",
      parse: Parse.text, store: { $0.protosets.append($1) })
  ]
}
