extension JSONReader: FieldDecoder {
  public mutating func nextField(
    _ unknownFields: inout UnknownFields
  ) throws(JSONDecodingError.Reason) -> Int? {
    try nextPlainField()
  }

  public mutating func nextPlainField() throws(JSONDecodingError.Reason) -> Int? {
    let frame = frames.count - 1
    while try next("}", isFirst: frames[frame].isFirst) {
      frames[frame].isFirst = false
      let index = try field(in: frame)
      try take(":", or: .colon)
      if let index {
        try see(index, in: frame)
        return frames[frame].fields[index].number
      }
      try skipValue()
    }
    return nil
  }

  /// Reads a name; nil when its value is to be skipped.
  private mutating func field(in frame: Int) throws(JSONDecodingError.Reason) -> Int? {
    guard peek() == UInt8(ascii: "\"") else { throw fault(.expected(.key)) }
    let before = unsafe cursor
    if let name = unsafe try plainString(), let index = unsafe find(name, in: frame) {
      return index
    }
    unsafe cursor = before
    let name = try string()
    if let index = frames[frame].fields.firstIndex(where: {
      "\($0.jsonName)" == name || "\($0.name)" == name
    }) {
      return index
    }
    if options.ignoresUnknownFields || name == "@type" && frames[frame].isInAny { return nil }
    unsafe cursor = before
    throw .unknownField
  }

  /// Looks a name up, from the field after the last one on: mostly they come in order.
  private func find(_ name: UnsafeBufferPointer<UInt8>, in frame: Int) -> Int? {
    let fields = frames[frame].fields
    var index = frames[frame].current
    for _ in fields.indices {
      index += 1
      if index >= fields.count { index = 0 }
      if unsafe fields[index].jsonName.isEqual(name) || fields[index].name.isEqual(name) {
        return index
      }
    }
    return nil
  }

  private mutating func see(_ index: Int, in frame: Int) throws(JSONDecodingError.Reason) {
    frames[frame].current = index
    if index < 64 {
      guard frames[frame].seen & 1 << UInt64(index) == 0 else { throw .duplicateField }
      frames[frame].seen |= 1 << UInt64(index)
    } else {
      guard frames[frame].seenAbove64.insert(index).inserted else { throw .duplicateField }
    }
  }

  /// Not called: names that a message does not have never reach it.
  public mutating func skipField() {}

  // MARK: Scalars

  @discardableResult
  public mutating func scalar<K: FieldKind>(
    _ value: inout K.Value, _ kind: K
  ) throws(JSONDecodingError.Reason) -> Bool {
    if !K.hasJSONNull, peek() == UInt8(ascii: "n"), takeNull() {
      value = K.initial
      return false
    }
    guard let read = try K.readJSON(from: &self) else { return false }
    value = read
    return true
  }

  public mutating func optional<K: FieldKind>(
    _ value: inout K.Value?, _ kind: K
  ) throws(JSONDecodingError.Reason) -> Bool {
    var scalar = K.initial
    let isThere = try self.scalar(&scalar, kind)
    value = isThere ? scalar : nil
    return isThere
  }

  public mutating func wrapped<K: ScalarKind>(
    _ value: inout K.Value?, _ kind: K
  ) throws(JSONDecodingError.Reason) -> Bool {
    try optional(&value, kind)
  }

  public mutating func repeated<K: FieldKind>(
    _ values: inout [K.Value], _ kind: K
  ) throws(JSONDecodingError.Reason) -> Bool {
    if peek() == UInt8(ascii: "n"), takeNull() { return false }
    try array { reader throws(JSONDecodingError.Reason) in
      if let value = try K.readJSON(from: &reader) { values.append(value) }
    }
    return true
  }

  // MARK: Messages

  public mutating func message<M: Message>(
    _ value: inout M?
  ) throws(JSONDecodingError.Reason) -> Bool {
    if M.self != Value.self, peek() == UInt8(ascii: "n"), takeNull() { return false }
    var message = M()
    try message.readJSON(from: &self)
    value = message
    return true
  }

  @discardableResult
  public mutating func messages<M: Message>(
    _ values: inout [M]
  ) throws(JSONDecodingError.Reason) -> Bool {
    if peek() == UInt8(ascii: "n"), takeNull() { return false }
    try array { reader throws(JSONDecodingError.Reason) in
      var message = M()
      try message.readJSON(from: &reader)
      values.append(message)
    }
    return true
  }

  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: inout [K.Value: V.Value], _ key: K, _ value: V
  ) throws(JSONDecodingError.Reason) -> Bool {
    if peek() == UInt8(ascii: "n"), takeNull() { return false }
    try members { reader, name throws(JSONDecodingError.Reason) in
      guard let key = K.key(json: name) else { throw .malformedNumber }
      if let value = try V.readJSON(from: &reader) { values[key] = value }
    }
    return true
  }

  public mutating func choose<Choice>(
    _ oneof: inout Choice?, _ choice: Choice
  ) throws(JSONDecodingError.Reason) {
    guard oneof == nil else { throw .duplicateField }
    oneof = choice
  }
}

extension StaticString {
  fileprivate func isEqual(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8CodeUnitCount == bytes.count else { return false }
    for index in bytes.indices where unsafe utf8Start[index] != bytes[index] { return false }
    return true
  }
}
