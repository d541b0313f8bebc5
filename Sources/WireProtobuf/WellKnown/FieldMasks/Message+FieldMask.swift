// What a mask selects is selected in the binary form, where each field stands for itself, and
// merged by decoding it.

extension FieldMask {
  /// How fields that are set on both sides are brought together. Scalars are always replaced.
  public struct MergeOptions: Hashable, Sendable {
    /// Whether messages that end a path are replaced instead of merged.
    public var replaceMessageFields: Bool
    /// Whether repeated fields and maps are replaced instead of appended to.
    public var replaceRepeatedFields: Bool

    public init(replaceMessageFields: Bool = false, replaceRepeatedFields: Bool = false) {
      self.replaceMessageFields = replaceMessageFields
      self.replaceRepeatedFields = replaceRepeatedFields
    }

    /// Every field becomes what it is in the other message.
    public static var replace: MergeOptions {
      MergeOptions(replaceMessageFields: true, replaceRepeatedFields: true)
    }
  }
}

extension Message {
  /// Copies the fields that a mask names from another message, and leaves the others.
  ///
  /// A scalar that is not set there is unset here. A path into a sub-message that is not set there
  /// changes nothing. Unknown fields go along with the message they are in if a path ends there.
  ///
  /// - Throws: ``FieldMaskError`` when a path names no field; then nothing is changed.
  public mutating func merge(
    from other: Self, fieldMask: FieldMask,
    options: FieldMask.MergeOptions = FieldMask.MergeOptions()
  ) throws(FieldMaskError) {
    try fieldMask.validate(for: Self.self)
    let tree = FieldMaskTree(fieldMask)
    let source = other.serializedBytes()[...]
    let kept = tree.kept(
      of: serializedBytes()[...], replacedBy: source, Self.fields, options: options)
    var merged = Self()
    merged.merge(written: kept + tree.selected(from: source, Self.fields))
    self = merged
  }

  /// Removes everything that a mask does not name, also unknown fields. A mask without paths
  /// removes nothing.
  ///
  /// - Throws: ``FieldMaskError`` when a path names no field; then nothing is changed.
  public mutating func trim(keeping fieldMask: FieldMask) throws(FieldMaskError) {
    guard !fieldMask.paths.isEmpty else { return }
    var trimmed = Self()
    try trimmed.merge(from: self, fieldMask: fieldMask)
    self = trimmed
  }
}

extension FieldMaskTree {
  /// The fields that the tree names, out of a message in binary form.
  fileprivate func selected(from message: ArraySlice<UInt8>, _ fields: FieldTable) -> [UInt8] {
    var selected: [UInt8] = []
    for record in WireRecord.all(in: message) {
      guard let field = fields[record.number], let child = children["\(field.name)"]
      else { continue }
      if child.isLeaf {
        selected += message[record.start..<record.end]
      } else if let payload = record.payload, let type = field.message {
        selected.append(record, in: message, child.selected(from: message[payload], type.fields))
      }
    }
    return selected
  }

  /// What stays of a message in binary form when the fields that the tree names are replaced by
  /// those of another.
  fileprivate func kept(
    of message: ArraySlice<UInt8>, replacedBy other: ArraySlice<UInt8>, _ fields: FieldTable,
    options: FieldMask.MergeOptions
  ) -> [UInt8] {
    var kept: [UInt8] = []
    for record in WireRecord.all(in: message) {
      let field = fields[record.number]
      guard let field, let child = children["\(field.name)"] else {
        kept += message[record.start..<record.end]
        continue
      }
      if child.isLeaf {
        if !options.replaces(field) { kept += message[record.start..<record.end] }
      } else if let payload = record.payload, let type = field.message,
        let inner = WireRecord.all(in: other).first(where: { $0.number == record.number })?.payload
      {
        kept.append(
          record, in: message,
          child.kept(
            of: message[payload], replacedBy: other[inner], type.fields, options: options))
      } else {
        kept += message[record.start..<record.end]
      }
    }
    return kept
  }
}

extension FieldMask.MergeOptions {
  fileprivate func replaces(_ field: FieldDescriptor) -> Bool {
    switch field.cardinality {
    case .repeated, .map: replaceRepeatedFields
    case .singular: field.message == nil || replaceMessageFields
    }
  }
}

extension [UInt8] {
  /// Appends a sub-message under the tag that another had.
  fileprivate mutating func append(
    _ record: WireRecord, in message: ArraySlice<UInt8>, _ content: [UInt8]
  ) {
    self += message[record.start..<record.valueStart]
    var length = content.count
    while length >= 0x80 {
      append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    append(UInt8(length))
    self += content
  }
}
