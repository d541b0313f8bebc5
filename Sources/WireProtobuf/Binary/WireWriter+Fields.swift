extension WireWriter: FieldVisitor {
  @inlinable @inline(__always)
  public mutating func scalar<K: FieldKind>(
    _ value: K.Value, _ kind: K, _ number: Int, _ name: StaticString
  ) {
    guard !K.isInitial(value) else { return }
    put(tag: number, K.wireType)
    K.write(value, [], to: &self)
  }

  @inlinable @inline(__always)
  public mutating func optional<K: FieldKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString
  ) {
    guard let value else { return }
    put(tag: number, K.wireType)
    K.write(value, [], to: &self)
  }

  @inlinable
  public mutating func wrapped<K: ScalarKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) {
    guard let value else { return }
    put(tag: number, .lengthDelimited)
    let size = K.isInitial(value) ? 0 : 1 &+ K.size(of: value)
    let unknown = unknownFields.bytes(
      ofPlain: number, index: 0, count: nil, fingerprint: value.hashValue)
    put(varint: UInt64(truncatingIfNeeded: size &+ unknown.count))
    if size > 0 {
      put(tag: 1, K.wireType)
      K.write(value, to: &self)
    }
    put(bytes: unknown)
  }

  @inlinable
  public mutating func repeated<K: FieldKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) {
    for value in values {
      put(tag: number, K.wireType)
      K.write(value, [], to: &self)
    }
  }

  @inlinable
  public mutating func packed<K: PackedKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) {
    guard !values.isEmpty else { return }
    put(tag: number, .lengthDelimited)
    putMeasuredLength()
    for value in values { K.write(value, to: &self) }
  }

  @inlinable @inline(__always)
  public mutating func message<M: Message>(
    _ value: M?, _ number: Int, _ name: StaticString
  ) {
    guard let value else { return }
    put(tag: number, .lengthDelimited)
    putMeasuredLength()
    value.write(to: &self)
  }

  @inlinable @inline(__always)
  public mutating func message<M: PlainMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    guard let value else { return }
    putPlain(value, number, index: 0, count: nil, unknownFields)
  }

  @inlinable
  mutating func putPlain<M: PlainMessage>(
    _ value: M, _ number: Int, index: Int, count: Int?, _ unknownFields: UnknownFields
  ) {
    put(tag: number, .lengthDelimited)
    guard unknownFields.isEmpty else {
      let unknown = unknownFields.bytes(
        ofPlain: number, index: index, count: count, fingerprint: value.hashValue)
      put(varint: UInt64(truncatingIfNeeded: value.plainSize &+ unknown.count))
      value.write(to: &self)
      return put(bytes: unknown)
    }
    put(varint: UInt64(truncatingIfNeeded: value.plainSize))
    value.write(to: &self)
  }

  @inlinable
  public mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString
  ) {
    forEachBorrowed(values.span) { value in
      put(tag: number, .lengthDelimited)
      putMeasuredLength()
      value.write(to: &self)
    }
  }

  @inlinable
  public mutating func messages<M: PlainMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    for (index, value) in values.enumerated() {
      putPlain(value, number, index: index, count: values.count, unknownFields)
    }
  }

  @inlinable
  public mutating func messages<M: RecordMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) {
    guard unknownFields.isEmpty, number < 16, M.recordSize < 0x80 else {
      for (index, value) in values.enumerated() {
        putPlain(value, number, index: index, count: values.count, unknownFields)
      }
      return
    }
    let head = UInt16(
      truncatingIfNeeded: tag(number, .lengthDelimited) | UInt64(M.recordSize) << 8)
    for value in values {
      if value.fillsRecord {
        let start = unsafe advance(2 &+ M.recordSize)
        unsafe start.storeBytes(of: head.littleEndian, as: UInt16.self)
        unsafe value.write(record: RecordBytesWriter(start + 2))
      } else {
        putPlain(value, number, index: 0, count: nil, unknownFields)
      }
    }
  }

  @inlinable
  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: [K.Value: V.Value], _ key: K, _ value: V, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) {
    guard !values.isEmpty else { return }
    for (key, value) in values.sorted(by: { K.isOrdered($0.key, before: $1.key) }) {
      put(tag: number, .lengthDelimited)
      putMeasuredLength()
      put(tag: 1, K.wireType)
      K.write(key, to: &self)
      put(tag: 2, V.wireType)
      V.write(
        value,
        unknownFields.bytes(
          ofPlain: number, index: key.hashValue, count: nil, fingerprint: value.hashValue),
        to: &self)
    }
  }

  @inlinable @inline(__always)
  public mutating func unknown(_ fields: UnknownFields) {
    if !fields.isEmpty { put(bytes: fields.bytes) }
  }
}
