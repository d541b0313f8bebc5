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
    if unknownFields.hasPlain {
      add(
        unknownFields.bytes(
          ofPlain: number, index: 0, count: nil, fingerprint: value.hashValue
        ).count)
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
  public mutating func message<M: PlainMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    guard let value else { return }
    add(plain: value, number, index: 0, count: nil, unknownFields)
  }

  @inlinable
  public mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString
  ) {
    forEachBorrowed(values.span) { value in add(message: value, number) }
  }

  @inlinable
  public mutating func messages<M: PlainMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    for (index, value) in values.enumerated() {
      add(plain: value, number, index: index, count: values.count, unknownFields)
    }
  }

  @inlinable
  public mutating func messages<M: RecordMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    guard !unknownFields.hasPlain else {
      for (index, value) in values.enumerated() {
        add(plain: value, number, index: index, count: values.count, unknownFields)
      }
      return
    }
    add(values.count &* (tagSize(number) &+ 2 &+ M.recordSize))
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
          ofPlain: number, index: key.hashValue, count: nil, fingerprint: value.hashValue),
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
  mutating func add<M: PlainMessage>(
    plain message: M, _ number: Int, index: Int, count: Int?, _ unknownFields: UnknownFields
  ) {
    let start = total
    message.measure(with: &self)
    if unknownFields.hasPlain {
      add(
        unknownFields.bytes(
          ofPlain: number, index: index, count: count, fingerprint: message.hashValue
        ).count)
    }
    close(since: start, number)
  }
}
