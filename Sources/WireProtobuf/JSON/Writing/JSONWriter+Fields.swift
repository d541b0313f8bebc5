extension JSONWriter: FieldVisitor {
  @inlinable
  public mutating func scalar<K: FieldKind>(
    _ value: K.Value, _ kind: K, _ number: Int, _ name: StaticString
  ) throws(JSONEncodingError) {
    guard !K.isInitial(value) else { return }
    key(name)
    try K.writeJSON(value, to: &self)
  }

  @inlinable
  public mutating func optional<K: FieldKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString
  ) throws(JSONEncodingError) {
    guard let value else { return }
    key(name)
    try K.writeJSON(value, to: &self)
  }

  @inlinable
  public mutating func wrapped<K: ScalarKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) throws(JSONEncodingError) {
    try optional(value, kind, number, name)
  }

  @inlinable
  public mutating func repeated<K: FieldKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) throws(JSONEncodingError) {
    guard !values.isEmpty else { return }
    key(name)
    beginArray()
    for value in values {
      next()
      try K.writeJSON(value, to: &self)
    }
    endArray()
  }

  @inlinable
  public mutating func packed<K: PackedKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) throws(JSONEncodingError) {
    try repeated(values, kind, number, name)
  }

  @inlinable
  public mutating func message<M: Message>(
    _ value: M?, _ number: Int, _ name: StaticString
  ) throws(JSONEncodingError) {
    guard let value else { return }
    key(name)
    try value.writeJSON(to: &self)
  }

  @inlinable
  public mutating func message<M: LeafMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(JSONEncodingError) {
    try message(value, number, name)
  }

  @inlinable
  public mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString
  ) throws(JSONEncodingError) {
    guard !values.isEmpty else { return }
    key(name)
    beginArray()
    try forEachBorrowed(values.span) { value throws(JSONEncodingError) in
      next()
      try value.writeJSON(to: &self)
    }
    endArray()
  }

  @inlinable
  public mutating func messages<M: LeafMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(JSONEncodingError) {
    try messages(values, number, name)
  }

  @inlinable
  public mutating func messages<M: FixedLayoutMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(JSONEncodingError) {
    try messages(values, number, name)
  }

  @inlinable
  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: [K.Value: V.Value], _ key: K, _ value: V, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) throws(JSONEncodingError) {
    let entries = values.allEntries(key, value, number, unknownFields)
    guard !entries.isEmpty else { return }
    self.key(name)
    beginObject()
    for (key, value) in entries {
      self.key(escaping: K.jsonKey(key))
      try V.writeJSON(value, to: &self)
    }
    endObject()
  }

  /// JSON has no unknown fields, so they are not written.
  public mutating func unknown(_ fields: UnknownFields) {}
}
