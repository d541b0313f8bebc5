extension SizeCounter: FieldVisitor {
  @inlinable @inline(__always)
  public mutating func scalar<K: FieldKind>(
    _ value: K.Value, _ kind: K, _ number: Int, _ name: StaticString
  ) {
    guard !K.isInitial(value) else { return }
    add(tagSize(number))
    K.measure(value, [], with: &self)
  }

  @inlinable @inline(__always)
  public mutating func optional<K: FieldKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString
  ) {
    guard let value else { return }
    add(tagSize(number))
    K.measure(value, [], with: &self)
  }

  @inlinable @inline(__always)
  public mutating func wrapped<K: ScalarKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) {
    guard let value else { return }
    var size = K.isInitial(value) ? 0 : 1 &+ K.size(of: value)
    if !unknownFields.isEmpty {
      size &+=
        unknownFields.bytes(
          ofPlain: number, index: 0, count: nil, fingerprint: value.hashValue
        ).count
    }
    add(tagSize(number) &+ varintSize(UInt64(truncatingIfNeeded: size)) &+ size)
  }

  @inlinable
  public mutating func repeated<K: FieldKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) {
    add(tagSize(number) &* values.count)
    for value in values { K.measure(value, [], with: &self) }
  }

  @inlinable
  public mutating func packed<K: PackedKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) {
    guard !values.isEmpty else { return }
    let open = openMessage()
    for value in values { add(K.size(of: value)) }
    closeMessage(open)
    add(tagSize(number))
  }

  @inlinable @inline(__always)
  public mutating func message<M: Message>(
    _ value: M?, _ number: Int, _ name: StaticString
  ) {
    guard let value else { return }
    let open = openMessage()
    value.measure(with: &self)
    closeMessage(open)
    add(tagSize(number))
  }

  @inlinable @inline(__always)
  public mutating func message<M: PlainMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    guard let value else { return }
    var size = value.plainSize
    if !unknownFields.isEmpty {
      size &+=
        unknownFields.bytes(
          ofPlain: number, index: 0, count: nil, fingerprint: value.hashValue
        ).count
    }
    add(tagSize(number) &+ varintSize(UInt64(truncatingIfNeeded: size)) &+ size)
  }

  @inlinable
  public mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString
  ) {
    add(tagSize(number) &* values.count)
    forEachBorrowed(values.span) { value in
      let open = openMessage()
      value.measure(with: &self)
      closeMessage(open)
    }
  }

  @inlinable
  public mutating func messages<M: PlainMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    add(tagSize(number) &* values.count)
    guard unknownFields.isEmpty else {
      return addPlainMessages(values, number, unknownFields)
    }
    for value in values {
      let size = value.plainSize
      add(varintSize(UInt64(truncatingIfNeeded: size)) &+ size)
    }
  }

  @inlinable
  public mutating func messages<M: RecordMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    add(tagSize(number) &* values.count)
    guard unknownFields.isEmpty else {
      return addPlainMessages(values, number, unknownFields)
    }
    let full = varintSize(UInt64(truncatingIfNeeded: M.recordSize)) &+ M.recordSize
    for value in values {
      if value.fillsRecord {
        add(full)
      } else {
        let size = value.plainSize
        add(varintSize(UInt64(truncatingIfNeeded: size)) &+ size)
      }
    }
  }

  @inlinable @inline(never)
  mutating func addPlainMessages<M: PlainMessage>(
    _ values: [M], _ number: Int, _ unknownFields: UnknownFields
  ) {
    for (index, value) in values.enumerated() {
      let size =
        value.plainSize
        &+ unknownFields.bytes(
          ofPlain: number, index: index, count: values.count, fingerprint: value.hashValue
        ).count
      add(varintSize(UInt64(truncatingIfNeeded: size)) &+ size)
    }
  }

  @inlinable
  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: [K.Value: V.Value], _ key: K, _ value: V, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) {
    guard !values.isEmpty else { return }
    // In the order of writing: the sizes of sub-messages are used in it.
    for (key, value) in values.sorted(by: { K.isOrdered($0.key, before: $1.key) }) {
      let open = openMessage()
      add(2 &+ K.size(of: key))
      V.measure(
        value,
        unknownFields.bytes(
          ofPlain: number, index: key.hashValue, count: nil, fingerprint: value.hashValue),
        with: &self)
      closeMessage(open)
      add(tagSize(number))
    }
  }

  @inlinable @inline(__always)
  public mutating func unknown(_ fields: UnknownFields) {
    if !fields.isEmpty { add(fields.bytes.count) }
  }
}
