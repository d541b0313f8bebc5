// Scalar and map fields.

extension WireReader: FieldDecoder {
  @inlinable @inline(__always)
  @discardableResult
  public mutating func scalar<K: FieldKind>(
    _ value: inout K.Value, _ kind: K
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(K.wireType) else { return false }
    value = try K.read(from: &self)
    return true
  }

  @inlinable @inline(__always)
  public mutating func optional<K: FieldKind>(
    _ value: inout K.Value?, _ kind: K
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(K.wireType) else { return false }
    value = try K.read(from: &self)
    return true
  }

  @inlinable
  public mutating func wrapped<K: ScalarKind>(
    _ value: inout K.Value?, _ kind: K
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(.lengthDelimited) else { return false }
    let field = fieldNumber
    let outer = unsafe try enterMessage()
    let former = followsLeaves ? value?.hashValue : nil
    var scalar = value ?? K.initial
    while let number = try nextLeafField() {
      if number == 1 {
        try self.scalar(&scalar, kind)
      } else {
        skipField()
      }
    }
    unsafe leaveMessage(outer)
    value = scalar
    if followsLeaves {
      try endLeaf(field: field, index: 0, former: former, fingerprint: scalar.hashValue)
    }
    return true
  }

  @inlinable
  public mutating func repeated<K: FieldKind>(
    _ values: inout [K.Value], _ kind: K
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(K.wireType) else { return false }
    values.append(try K.read(from: &self))
    return true
  }

  @inlinable
  public mutating func repeated<K: PackedKind>(
    _ values: inout [K.Value], _ kind: K
  ) throws(DecodingError.Reason) -> Bool {
    if wireType == WireType.lengthDelimited.rawValue {
      let length = try length()
      let outer = unsafe end
      unsafe end = cursor + length
      values.makeRoom(for: packedCount(K.wireType))
      while unsafe cursor < end {
        values.append(try K.read(from: &self))
      }
      unsafe end = outer
      return true
    }
    guard expect(K.wireType) else { return false }
    values.append(try K.read(from: &self))
    return true
  }

  /// The number of packed values in the rest of the message.
  @usableFromInline
  func packedCount(_ wireType: WireType) -> Int {
    switch wireType {
    case .fixed32: return remaining / 4
    case .fixed64: return remaining / 8
    default:
      var count = 0
      for offset in 0..<remaining
      where unsafe cursor.load(fromByteOffset: offset, as: UInt8.self) < 0x80 {
        count &+= 1
      }
      return count
    }
  }

  @inlinable
  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: inout [K.Value: V.Value], _ keyKind: K, _ valueKind: V
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(.lengthDelimited) else { return false }
    let field = tag
    let start = unsafe cursor
    let outer = unsafe try enterMessage()
    var key = K.initial
    var value = V.initial
    // A map entry is not a message with unknown fields of its own: other fields are dropped.
    var unknownFields = UnknownFields()
    while let number = try nextField(&unknownFields) {
      switch number {
      case 1: try scalar(&key, keyKind)
      case 2: if expect(V.wireType) { try V.merge(into: &value, from: &self) }
      default: skipField()
      }
    }
    unsafe leaveMessage(outer)
    try spend(K.hashingCost(key))
    switch values.set(value, for: key, keyKind) {
    case .collided:
      unsafe cursor = start
      tag = field
      try keepEntry()
      return true
    case .added:
      // A dictionary can be half empty.
      try spend(2 * (MemoryLayout<K.Value>.stride + MemoryLayout<V.Value>.stride))
    case .replaced:
      break
    }
    if followsLeaves {
      try endLeaf(
        field: Int(field >> 3), index: key.hashValue, former: nil,
        fingerprint: value.hashValue)
    }
    return true
  }

  @inlinable @inline(__always)
  public mutating func choose<Choice>(
    _ oneof: inout Choice?, _ choice: Choice, insteadOf leaves: Int...
  ) {
    oneof = choice
    if followsLeaves { removeLeaves(leaves) }
  }
}
