extension JSONReader: FieldDecoder {
  public mutating func nextField(
    _ unknownFields: inout UnknownFields
  ) throws(JSONDecodingError.Reason) -> Int? {
    if !collisions.isEmpty {
      unknownFields.append(collisions.bytes)
      collisions = UnknownFields()
    }
    return try nextLeafField()
  }

  public mutating func nextLeafField() throws(JSONDecodingError.Reason) -> Int? {
    while try next("}", isFirst: frame.isFirst) {
      frame.isFirst = false
      let index = try field()
      try take(":", or: .colon)
      if let index {
        try see(index)
        return frame.fields[index].number
      }
      try skipValue()
    }
    return nil
  }

  /// Reads a name; nil if its value is to be skipped.
  private mutating func field() throws(JSONDecodingError.Reason) -> Int? {
    guard peek() == UInt8(ascii: "\"") else { throw fault(.expected(.key)) }
    if let index = takeName() { return index }
    // The name has escapes or is not a field of the message.
    let before = unsafe cursor
    let name = try string()
    if let index = frame.fields.firstIndex(where: { $0.isCalled(name) }) { return index }
    if options.ignoresUnknownFields || frame.isInAny && StringKind.areSame(name, "@type") {
      return nil
    }
    unsafe cursor = before
    throw .unknownField(
      name.forDisplay, suggestion: frame.fields.map { "\($0.jsonName)" }.suggestion(for: name))
  }

  /// Consumes the next name if it is a field. The search starts after the previous field, because
  /// fields usually come in order.
  private mutating func takeName() -> Int? {
    var index = frame.current
    for _ in frame.fields.indices {
      index += 1
      if index >= frame.fields.count { index = 0 }
      if take(name: frame.fields[index].jsonName) || take(name: frame.fields[index].name) {
        return index
      }
    }
    return nil
  }

  /// Consumes a quoted name if it comes next.
  @inline(__always)
  private mutating func take(name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    guard unsafe end - cursor >= length + 2, unsafe cursor[length + 1] == UInt8(ascii: "\"")
    else { return false }
    for index in 0..<length where unsafe cursor[index + 1] != name.utf8Start[index] {
      return false
    }
    unsafe cursor += length + 2
    return true
  }

  private mutating func see(_ index: Int) throws(JSONDecodingError.Reason) {
    frame.current = index
    if index < 64 {
      guard frame.seen & 1 << UInt64(index) == 0 else { throw .duplicateField }
      frame.seen |= 1 << UInt64(index)
    } else {
      guard frame.seenAbove64.insert(index).inserted else { throw .duplicateField }
    }
  }

  /// Never called: unknown names do not reach the message.
  public mutating func skipField() {}

  // MARK: Scalars

  @inlinable
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

  @inlinable
  public mutating func optional<K: FieldKind>(
    _ value: inout K.Value?, _ kind: K
  ) throws(JSONDecodingError.Reason) -> Bool {
    var scalar = K.initial
    let isPresent = try self.scalar(&scalar, kind)
    value = isPresent ? scalar : nil
    return isPresent
  }

  @inlinable
  public mutating func wrapped<K: ScalarKind>(
    _ value: inout K.Value?, _ kind: K
  ) throws(JSONDecodingError.Reason) -> Bool {
    try optional(&value, kind)
  }

  @inlinable
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

  @inlinable
  public mutating func message<M: Message>(
    _ value: inout M?
  ) throws(JSONDecodingError.Reason) -> Bool {
    if M.self != Value.self, peek() == UInt8(ascii: "n"), takeNull() { return false }
    try spend(MemoryLayout<M>.stride)
    try enterMessages()
    var message = M()
    try message.readJSON(from: &self)
    leaveMessages()
    value = message
    return true
  }

  @inlinable
  @discardableResult
  public mutating func messages<M: Message>(
    _ values: inout [M]
  ) throws(JSONDecodingError.Reason) -> Bool {
    if peek() == UInt8(ascii: "n"), takeNull() { return false }
    try array { reader throws(JSONDecodingError.Reason) in
      // Otherwise a wrapper would read null as its default value.
      if M.self != Value.self, reader.peek() == UInt8(ascii: "n") { throw .expected(.value) }
      try reader.spend(MemoryLayout<M>.stride)
      try reader.enterMessages()
      var message = M()
      try message.readJSON(from: &reader)
      reader.leaveMessages()
      values.append(message)
    }
    return true
  }

  @inlinable
  public mutating func map<K: MapKeyKind, V: FieldKind>(
    _ values: inout [K.Value: V.Value], _ keyKind: K, _ valueKind: V
  ) throws(JSONDecodingError.Reason) -> Bool {
    if peek() == UInt8(ascii: "n"), takeNull() { return false }
    let number = fieldNumber
    var collisions = UnknownFields()
    try members { reader, name throws(JSONDecodingError.Reason) in
      guard let key = K.key(json: name) else { throw K.invalidKey }
      try reader.spend(2 * (MemoryLayout<K.Value>.stride + MemoryLayout<V.Value>.stride))
      try reader.spend(K.hashingCost(key))
      if values.contains(key, keyKind) { throw .duplicateField }
      try reader.enterMessages()
      let read = try V.readJSON(from: &reader)
      reader.leaveMessages()
      guard let value = read else { return }
      if values.set(value, for: key, keyKind) == .collided {
        collisions.append([key: value], of: number, keyKind, valueKind)
      }
    }
    self.collisions = collisions
    return true
  }

  @inlinable
  public mutating func choose<Choice>(
    _ oneof: inout Choice?, _ choice: Choice, insteadOf leaves: Int...
  ) throws(JSONDecodingError.Reason) {
    guard oneof == nil else { throw oneofFault() }
    oneof = choice
  }

  /// The error for the current field, whose oneof already has a member: the first member read,
  /// even if it was null.
  @usableFromInline
  func oneofFault() -> JSONDecodingError.Reason {
    let field = frame.fields[frame.current]
    let others = frame.fields.indices.filter { index in
      guard index != frame.current, let oneof = frame.fields[index].oneof else { return false }
      return field.oneof?.isEqual(to: "\(oneof)") == true && hasSeen(index)
    }
    let other = others.first.map { "\(frame.fields[$0].jsonName)" } ?? ""
    return .oneofAlreadySet("\(field.jsonName)", by: other)
  }

  private func hasSeen(_ index: Int) -> Bool {
    index < 64 ? frame.seen & 1 << UInt64(index) != 0 : frame.seenAbove64.contains(index)
  }
}

extension FieldDescriptor {
  /// Whether a name with resolved escapes is the field's JSON or .proto name.
  fileprivate func isCalled(_ text: String) -> Bool {
    if name.isEqual(to: text) { return true }
    guard jsonName.hasEscapes else { return jsonName.isEqual(to: text) }
    return unsafe "\"\(jsonName)\"".utf8.span.withUnsafeBufferPointer { quoted in
      var reader = unsafe JSONReader(quoted, options: JSONDecodingOptions())
      return (try? reader.string())?.utf8.elementsEqual(text.utf8) == true
    }
  }
}

extension StaticString {
  fileprivate func isEqual(to text: String) -> Bool {
    withUTF8Buffer { unsafe $0.elementsEqual(text.utf8) }
  }

  fileprivate var hasEscapes: Bool {
    withUTF8Buffer { unsafe $0.contains(UInt8(ascii: "\\")) }
  }
}
