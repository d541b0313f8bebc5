package import WireProtobuf

/// A `ListLogEntriesResponse` whose entries are still encoded. Decoded, the entries of a page need many times its size.
package struct LogPage: Sendable {
  /// Each a `LogEntry`.
  package var entries: [[UInt8]] = []
  /// Empty on the last page.
  package var nextPageToken = ""
  package var unknownFields = UnknownFields()

  package init() {}
}

extension LogPage: Message {
  package static var messageName: String { ListLogEntriesResponse.messageName }

  package static let fields = FieldTable(
    FieldDescriptor(1, "entries", json: "entries", .repeated),
    FieldDescriptor(2, "next_page_token", json: "nextPageToken"))

  package mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) {
    while let number = try decoder.nextField(&unknownFields) {
      switch number {
      case 1: try decoder.repeated(&entries, .bytes)
      case 2: try decoder.scalar(&nextPageToken, .string)
      default: decoder.skipField()
      }
    }
  }

  package func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.repeated(entries, .bytes, 1, "entries")
    try visitor.scalar(nextPageToken, .string, 2, "nextPageToken")
    try visitor.unknown(unknownFields)
  }

  package func measure(with counter: inout SizeCounter) { visit(&counter) }

  package func write(to writer: inout WireWriter) throws(WireWriter.Full) { try visit(&writer) }

  package func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    writer.beginObject()
    try visit(&writer)
    writer.endObject()
  }
}
