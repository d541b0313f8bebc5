// Message fields, singular and repeated.

extension WireReader {
  @inlinable @inline(__always)
  public mutating func message<M: Message>(
    _ value: inout M?
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(.lengthDelimited) else { return false }
    let outer = unsafe try enterMessage()
    if !isPresent(value) {
      try spend(MemoryLayout<M>.stride)
      value = M()
    }
    try value?.read(from: &self)
    unsafe leaveMessage(outer)
    return true
  }

  @inlinable @inline(__always)
  public mutating func message<M: LeafMessage>(
    _ value: inout M?
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(.lengthDelimited) else { return false }
    let field = fieldNumber
    let former = followsLeaves ? value?.hashValue : nil
    var message = value ?? M()
    try readLeaf(&message)
    value = message
    if followsLeaves {
      try endLeaf(field: field, index: 0, former: former, fingerprint: message.hashValue)
    }
    return true
  }

  @inlinable
  public mutating func messages<M: Message>(
    _ values: inout [M]
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(.lengthDelimited) else { return false }
    try reserve(&values)
    try appendMessages(&values)
    return true
  }

  /// Decodes each element into a local first: reading in place in the array would check for unique
  /// ownership at every field.
  @inlinable @inline(never)
  mutating func appendMessages<M: Message>(
    _ values: inout [M]
  ) throws(DecodingError.Reason) {
    let field = tag
    repeat {
      let outer = unsafe try enterMessage()
      var element = M()
      try element.read(from: &self)
      unsafe leaveMessage(outer)
      values.append(consume element)
    } while continues(field)
  }

  @inlinable
  public mutating func messages<M: LeafMessage>(
    _ values: inout [M]
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(.lengthDelimited) else { return false }
    try reserve(&values)
    try appendLeafMessages(&values)
    return true
  }

  @inlinable @inline(never)
  mutating func appendLeafMessages<M: LeafMessage>(
    _ values: inout [M]
  ) throws(DecodingError.Reason) {
    let field = tag
    repeat {
      var element = M()
      try readLeaf(&element)
      values.append(element)
      if !leafFields.isEmpty {
        try endLeaf(
          field: Int(field >> 3), index: values.count - 1, former: nil,
          fingerprint: element.hashValue)
      }
    } while continues(field)
  }

  @inlinable
  public mutating func messages<M: FixedLayoutMessage>(
    _ values: inout [M]
  ) throws(DecodingError.Reason) -> Bool {
    guard expect(.lengthDelimited) else { return false }
    if appendFixedLayouts(&values) { return true }
    try reserve(&values)
    try appendLeafMessages(&values)
    return true
  }

  @inlinable @inline(__always)
  mutating func readLeaf<M: LeafMessage>(_ message: inout M) throws(DecodingError.Reason) {
    let outer = unsafe try enterMessage()
    try message.read(from: &self)
    unsafe leaveMessage(outer)
  }

  /// Consumes the next tag if it equals `field`: the next element of the same repeated field.
  @inlinable
  mutating func continues(_ field: UInt32) -> Bool {
    guard let length = unsafe matchTag(field, at: cursor) else { return false }
    unsafe cursor += length
    tag = field
    return true
  }

  /// The length of the tag `field` at a position in bytes, or nil if another tag is there.
  @inlinable
  func matchTag(_ field: UInt32, at position: UnsafeRawPointer) -> Int? {
    let left = unsafe end - position
    if field < 0x80 {
      guard left >= 1, unsafe position.load(as: UInt8.self) == UInt8(field) else { return nil }
      return 1
    }
    let high = field >> 7
    guard high < 0x80, left >= 2,
      unsafe position.load(as: UInt8.self) == UInt8(truncatingIfNeeded: field) | 0x80,
      unsafe position.load(fromByteOffset: 1, as: UInt8.self) == UInt8(truncatingIfNeeded: high)
    else { return nil }
    return 2
  }

  /// Counts the consecutive elements and reserves capacity for them, so that one run of elements
  /// takes one allocation of exactly its size.
  @inlinable @inline(never)
  mutating func reserve<M>(_ values: inout [M]) throws(DecodingError.Reason) {
    let first = unsafe cursor
    var count = 0
    repeat {
      guard let length = try? length() else { break }
      unsafe cursor += length
      count &+= 1
    } while continues(tag)
    unsafe cursor = first
    try spend(count &* MemoryLayout<M>.stride)
    values.makeRoom(for: count)
  }
}

extension Array {
  /// Reserves capacity: exactly as needed the first time, later at least 1.5 times the present
  /// capacity, so that many small additions do not copy the array each time.
  @inlinable
  mutating func makeRoom(for additions: Int) {
    let needed = count + additions
    if needed > capacity { reserveCapacity(Swift.max(needed, capacity + capacity / 2)) }
  }
}
