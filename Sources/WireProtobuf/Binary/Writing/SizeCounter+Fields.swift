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

  @inlinable
  public mutating func wrapped<K: ScalarKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) {
    guard let value else { return }
    let start = total
    add(1 &+ K.size(of: value))
    if unknownFields.hasLeaves {
      add(unknownFields.bytes(ofLeaf: number, index: 0, fingerprint: value.hashValue).count)
    }
    close(since: start, number)
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
    let start = total
    for value in values { add(K.size(of: value)) }
    close(since: start, number)
  }

  @inlinable @inline(__always)
  public mutating func message<M: Message>(
    _ value: M?, _ number: Int, _ name: StaticString
  ) {
    ifPresent(value) { value in add(message: value, number) }
  }

  @inlinable @inline(__always)
  public mutating func message<M: LeafMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    guard let value else { return }
    add(
      leaf: value, number,
      unknownFields.hasLeaves
        ? unknownFields.bytes(ofLeaf: number, index: 0, fingerprint: value.hashValue) : nil)
  }

  @inlinable
  public mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString
  ) {
    forEachBorrowed(values.span) { value in add(message: value, number) }
  }

  @inlinable
  public mutating func messages<M: LeafMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    add(leaves: values, number, unknownFields)
  }

  @inlinable
  public mutating func messages<M: FixedLayoutMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    guard !unknownFields.hasLeaves else {
      return add(leaves: values, number, unknownFields)
    }
    add(values.count &* (tagSize(number) &+ 2 &+ M._fixedLayoutSize))
  }

  @inlinable
  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: [K.Value: V.Value], _ key: K, _ value: V, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) {
    for (key, value) in values {
      let start = total
      add(2 &+ K.size(of: key))
      V.measure(
        value,
        unknownFields.bytes(
          ofLeaf: number, index: key.hashValue, fingerprint: value.hashValue),
        with: &self)
      close(since: start, number)
    }
  }

  @inlinable @inline(__always)
  public mutating func unknown(_ fields: UnknownFields) {
    if !fields.isEmpty { add(fields.bytes.count) }
  }
}

extension SizeCounter {
  @inlinable @inline(__always)
  mutating func add<M: Message>(message: borrowing M, _ number: Int) {
    let start = total
    message.measure(with: &self)
    close(since: start, number)
  }

  @inlinable
  mutating func add<M: LeafMessage>(
    leaves messages: [M], _ number: Int, _ unknownFields: UnknownFields
  ) {
    let unknown = unknownFields.bytes(ofLeaves: messages, number)
    for (index, message) in messages.enumerated() {
      add(leaf: message, number, unknown[index])
    }
  }

  @inlinable
  mutating func add<M: LeafMessage>(
    leaf message: M, _ number: Int, _ unknown: @autoclosure () -> [UInt8]?
  ) {
    let start = total
    message.measure(with: &self)
    if let unknown = unknown() { add(unknown.count) }
    close(since: start, number)
  }
}
