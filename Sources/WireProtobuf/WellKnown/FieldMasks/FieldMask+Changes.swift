extension FieldMask {
  /// Creates the mask of the fields that differ between two messages. Merging `after` into `before`
  /// with this mask and ``MergeOptions/replace`` applies the changes.
  ///
  /// A path leads into a sub-message if both messages have it, but not into a well-known type: a
  /// timestamp is one value. A mask cannot name unknown fields. Different unknown fields of the
  /// message itself are therefore ignored. If a sub-message differs only in its unknown fields, the
  /// mask contains the path of the whole sub-message.
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

/// The records of one field in a message in binary form.
private struct Occurrence {
  var bytes: [UInt8] = []
  /// The payload of the last record.
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
