extension WireWriter: FieldVisitor {
  @inlinable @inline(__always)
  public mutating func scalar<K: FieldKind>(
    _ value: K.Value, _ kind: K, _ number: Int, _ name: StaticString
  ) throws(Full) {
    guard !K.isInitial(value) else { return }
    try makeRoom()
    put(tag: number, K.wireType)
    try K.write(value, [], to: &self)
  }

  @inlinable @inline(__always)
  public mutating func optional<K: FieldKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString
  ) throws(Full) {
    guard let value else { return }
    try makeRoom()
    put(tag: number, K.wireType)
    try K.write(value, [], to: &self)
  }

  @inlinable
  public mutating func wrapped<K: ScalarKind>(
    _ value: K.Value?, _ kind: K, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) throws(Full) {
    guard let value else { return }
    try makeRoom()
    put(tag: number, .lengthDelimited)
    let message = open()
    if !K.isInitial(value) {
      put(tag: 1, K.wireType)
      try K.write(value, to: &self)
    }
    if unknownFields.hasLeaves {
      try put(bytes: unknownFields.bytes(ofLeaf: number, index: 0, fingerprint: value.hashValue))
    }
    try close(message)
  }

  @inlinable
  public mutating func repeated<K: FieldKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) throws(Full) {
    for value in values {
      try makeRoom()
      put(tag: number, K.wireType)
      try K.write(value, [], to: &self)
    }
  }

  @inlinable
  public mutating func packed<K: PackedKind>(
    _ values: [K.Value], _ kind: K, _ number: Int, _ name: StaticString
  ) throws(Full) {
    guard !values.isEmpty else { return }
    try makeRoom()
    put(tag: number, .lengthDelimited)
    let list = open()
    for value in values {
      try makeRoom()
      try K.write(value, to: &self)
    }
    try close(list)
  }

  @inlinable @inline(__always)
  public mutating func message<M: Message>(
    _ value: M?, _ number: Int, _ name: StaticString
  ) throws(Full) {
    try ifPresent(value) { value throws(Full) in try put(message: value, number) }
  }

  @inlinable @inline(__always)
  public mutating func message<M: LeafMessage>(
    _ value: M?, _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Full) {
    guard let value else { return }
    try put(
      leaf: value, number,
      unknownFields.hasLeaves
        ? unknownFields.bytes(ofLeaf: number, index: 0, fingerprint: value.hashValue) : nil)
  }

  @inlinable
  public mutating func messages<M: Message>(
    _ values: [M], _ number: Int, _ name: StaticString
  ) throws(Full) {
    try forEachBorrowed(values.span) { value throws(Full) in try put(message: value, number) }
  }

  @inlinable
  public mutating func messages<M: LeafMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Full) {
    try put(leaves: values, number, unknownFields)
  }

  @inlinable
  public mutating func messages<M: FixedLayoutMessage>(
    _ values: [M], _ number: Int, _ name: StaticString, _ unknownFields: UnknownFields
  ) throws(Full) {
    guard !unknownFields.hasLeaves, number < 16, M._fixedLayoutSize < 0x80 else {
      return try put(leaves: values, number, unknownFields)
    }
    // Reserves room for all messages at once: a message with unset fields is smaller.
    try makeRoom(values.count &* (2 &+ M._fixedLayoutSize))
    let head = UInt16(
      truncatingIfNeeded: tag(number, .lengthDelimited) | UInt64(M._fixedLayoutSize) << 8)
    var next = unsafe cursor
    for value in values {
      if value._fillsFixedLayout {
        unsafe next.storeBytes(of: head.littleEndian, as: UInt16.self)
        unsafe value._write(fixedLayout: _FixedLayoutWriter(next + 2))
        unsafe next += 2 &+ M._fixedLayoutSize
      } else {
        unsafe cursor = next
        try put(partial: value, number)
        unsafe next = cursor
      }
    }
    unsafe cursor = next
  }

  @inlinable
  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: [K.Value: V.Value], _ key: K, _ value: V, _ number: Int, _ name: StaticString,
    _ unknownFields: UnknownFields
  ) throws(Full) {
    guard !values.isEmpty else { return }
    for (key, value) in values.sorted(by: { K.isOrdered($0.key, before: $1.key) }) {
      try makeRoom()
      put(tag: number, .lengthDelimited)
      let entry = open()
      put(tag: 1, K.wireType)
      try K.write(key, to: &self)
      try makeRoom()
      put(tag: 2, V.wireType)
      try V.write(
        value,
        unknownFields.bytes(
          ofLeaf: number, index: key.hashValue, fingerprint: value.hashValue),
        to: &self)
      try close(entry)
    }
  }

  @inlinable @inline(__always)
  public mutating func unknown(_ fields: UnknownFields) throws(Full) {
    if !fields.isEmpty { try put(bytes: fields.bytes) }
  }
}

extension WireWriter {
  @inlinable @inline(__always)
  mutating func put<M: Message>(message: borrowing M, _ number: Int) throws(Full) {
    try makeRoom()
    put(tag: number, .lengthDelimited)
    // Messages with many fields are usually longer than 127 bytes.
    let open = open(MemoryLayout<M>.size < 128 ? 1 : 2)
    try message.write(to: &self)
    try close(open)
  }

  /// Kept out of line, off the path of messages with every field set.
  @inlinable @inline(never)
  mutating func put<M: FixedLayoutMessage>(partial message: M, _ number: Int) throws(Full) {
    try put(leaf: message, number, nil)
  }

  @inlinable
  mutating func put<M: LeafMessage>(
    leaves messages: [M], _ number: Int, _ unknownFields: UnknownFields
  ) throws(Full) {
    let unknown = unknownFields.bytes(ofLeaves: messages, number)
    for (index, message) in messages.enumerated() {
      try put(leaf: message, number, unknown[index])
    }
  }

  /// - Parameter unknown: the unknown fields, tags and values.
  @inlinable
  mutating func put<M: LeafMessage>(
    leaf message: M, _ number: Int, _ unknown: @autoclosure () -> [UInt8]?
  ) throws(Full) {
    try makeRoom()
    put(tag: number, .lengthDelimited)
    let open = open()
    try message.write(to: &self)
    if let unknown = unknown() { try put(bytes: unknown) }
    try close(open)
  }
}
