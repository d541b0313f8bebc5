// Fields are selected in the binary form, where each is a separate record, and merged by decoding.

extension FieldMask {
  /// Options for merging fields that are set on both sides. Scalars are always replaced.
  public struct MergeOptions: Hashable, Sendable {
    /// Whether messages at the end of a path are replaced instead of merged.
    public var replaceMessageFields: Bool
    /// Whether repeated fields and maps are replaced instead of appended to.
    public var replaceRepeatedFields: Bool

    /// Creates options. By default, messages are merged and repeated fields are appended.
    public init(replaceMessageFields: Bool = false, replaceRepeatedFields: Bool = false) {
      self.replaceMessageFields = replaceMessageFields
      self.replaceRepeatedFields = replaceRepeatedFields
    }

    /// Replaces every field with that of the other message.
    public static var replace: MergeOptions {
      MergeOptions(replaceMessageFields: true, replaceRepeatedFields: true)
    }
  }
}

extension Message {
  /// Copies the fields that a mask names from another message and keeps the others.
  ///
  /// A scalar that is unset in `other` becomes unset here. A path into a sub-message that is unset
  /// in `other` changes nothing. Unknown fields are copied with the message at the end of a path.
  ///
  /// - Throws: ``FieldMaskError`` if a path is invalid; then nothing is changed.
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

  /// Removes all fields that a mask does not name, including unknown fields. An empty mask removes
  /// nothing.
  ///
  /// - Throws: ``FieldMaskError`` if a path is invalid; then nothing is changed.
  public mutating func trim(keeping fieldMask: FieldMask) throws(FieldMaskError) {
    guard !fieldMask.paths.isEmpty else { return }
    var trimmed = Self()
    try trimmed.merge(from: self, fieldMask: fieldMask)
    self = trimmed
  }
}

extension FieldMaskTree {
  /// Returns the fields that the tree names from a message in binary form.
  fileprivate func selected(from message: ArraySlice<UInt8>, _ fields: FieldTable) -> [UInt8] {
    var selected: [UInt8] = []
    for record in WireRecord.all(in: message) {
      guard let field = fields[record.number], let child = children["\(field.name)"]
      else { continue }
      if child.isLeaf {
        selected += message[record.start..<record.end]
      } else if let payload = record.payload, let type = field.message {
        selected.append(
          record.number, message: child.selected(from: message[payload], type.fields))
      }
    }
    return selected
  }

  /// Returns the fields of a message in binary form that are kept when the fields that the tree
  /// names are replaced by those of another message.
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
          record.number,
          message: child.kept(
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
