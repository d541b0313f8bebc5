extension FieldMask {
  /// The mask of what is not the same in two messages: with ``MergeOptions/replace`` it brings the
  /// changes into the first.
  ///
  /// A path goes as far into sub-messages as both messages have them, and not into the well-known
  /// types: a time is one value. Unknown fields of the messages themselves cannot be named; if in a
  /// sub-message only they differ, its path is in the mask.
  public init<M: Message>(changesFrom before: M, to after: M) {
    self.init(
      paths: Self.changes(
        M.fields, before.serializedBytes()[...], after.serializedBytes()[...], under: ""))
  }

  private static func changes(
    _ fields: FieldTable, _ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>,
    under prefix: String
  ) -> [String] {
    let before = Occurrence.byNumber(in: before)
    let after = Occurrence.byNumber(in: after)
    var paths: [String] = []
    for field in fields.fields {
      let (old, new) = (before[field.number], after[field.number])
      guard old?.bytes != new?.bytes else { continue }
      let path = "\(prefix)\(field.name)"
      var inner: [String] = []
      if field.cardinality == .singular, let type = field.message,
        !(type is any CustomJSONMessage.Type), let old = old?.payload, let new = new?.payload
      {
        inner = changes(type.fields, old, new, under: path + ".")
      }
      paths += inner.isEmpty ? [path] : inner
    }
    return paths
  }
}

/// What a message in binary form has of one field.
private struct Occurrence {
  var bytes: [UInt8] = []
  /// Of a field that occurs once.
  var payload: ArraySlice<UInt8>?

  static func byNumber(in message: ArraySlice<UInt8>) -> [Int: Occurrence] {
    var occurrences: [Int: Occurrence] = [:]
    for record in WireRecord.all(in: message) {
      occurrences[record.number, default: Occurrence()].bytes += message[record.start..<record.end]
      occurrences[record.number]?.payload = record.payload.map { message[$0] }
    }
    return occurrences
  }
}
