// JSON other than the form of messages, without white space unless it is pretty.

extension JSONWriter {
  package static func text(_ write: (inout JSONWriter) -> Void) -> String {
    String(decoding: bytes(write), as: UTF8.self)
  }

  package static func bytes(
    pretty: Bool = false, _ write: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(JSONEncodingOptions(pretty: pretty))
    defer { writer.deallocate() }
    write(&writer)
    return unsafe [UInt8](writer.bytes)
  }

  package static func object(_ members: (inout JSONWriter) -> Void) -> String {
    text { $0.object(members) }
  }

  package static func objectBytes(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    bytes { $0.object(members) }
  }

  /// The size of the text so far.
  package var byteCount: Int { count }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  package mutating func array<Values: Sequence>(
    _ values: Values, _ write: (inout JSONWriter, Values.Element) -> Void
  ) {
    beginArray()
    for value in values {
      next()
      write(&self, value)
    }
    endArray()
  }

  /// Writes a value that is JSON already.
  package mutating func put(json: some Sequence<UInt8>) {
    let done: Void? = json.withContiguousStorageIfAvailable { unsafe put($0) }
    if done == nil { for byte in json { put(byte) } }
  }

  /// Writes an enum value: its name, or the number if it has none.
  package mutating func put(name: String?, or number: Int32) {
    if let name { put(string: name) } else { put(number: number) }
  }

  package mutating func put(bool: Bool) { put(bool ? "true" : "false") }

  package mutating func put(number: some BinaryInteger) { put(plain: String(number)) }

  /// Writes at most seven decimals and no exponent, as coordinates need, and `null` for a magnitude of 9×10^11 or
  /// more.
  package mutating func put(decimal value: Double) {
    guard value.magnitude < 9e11 else { return put("null") }
    let scaled = UInt64(value.magnitude * 1e7 + 0.5)
    put(scaled: scaled, isNegative: value < 0 && scaled > 0)
    if scaled % 10_000_000 == 0 { count -= 2 }
  }
}

// MARK: Members

extension JSONWriter {
  package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    key(escaping: name)
    value(&self)
  }

  package mutating func member<Values: Sequence>(
    _ name: String, _ values: Values, _ write: (inout JSONWriter, Values.Element) -> Void
  ) {
    member(name) { $0.array(values, write) }
  }

  /// Writes a member with an array of objects.
  package mutating func objects<Values: Sequence>(
    _ name: String, _ values: Values, _ members: (inout JSONWriter, Values.Element) -> Void
  ) {
    member(name, values) { json, value in json.object { members(&$0, value) } }
  }

  package mutating func member(_ name: String, _ texts: [String]) {
    member(name, texts) { $0.put(string: $1) }
  }

  package mutating func member(_ name: String, _ flag: Bool) {
    member(name) { $0.put(bool: flag) }
  }

  /// Writes a member unless the text is nil.
  package mutating func member(_ name: String, _ text: String?) {
    if let text { member(name) { $0.put(string: text) } }
  }

  /// Writes a member unless the number is nil.
  package mutating func member(_ name: String, _ number: (some BinaryInteger)?) {
    if let number { member(name) { $0.put(number: number) } }
  }

  /// Writes a member with an enum value.
  package mutating func member(_ name: String, _ value: String?, or number: Int32) {
    member(name) { $0.put(name: value, or: number) }
  }

  package mutating func member(_ name: String, base64 bytes: [UInt8]) {
    member(name) { $0.put(base64: bytes) }
  }

  /// Writes a member unless the number is nil; see ``put(decimal:)``.
  package mutating func member(_ name: String, decimal: Double?) {
    if let decimal { member(name) { $0.put(decimal: decimal) } }
  }

  /// Writes a member unless the value, which is JSON already, is nil.
  package mutating func member(_ name: String, json: String?) {
    if let json { member(name) { $0.put(plain: json) } }
  }

  /// Writes a member unless the value, which is JSON already, is nil.
  package mutating func member(_ name: String, json: [UInt8]?) {
    if let json { member(name) { $0.put(json: json) } }
  }

  /// Writes the members of an object that is JSON already, without white space.
  package mutating func members(ofObject json: String) {
    guard json.utf8.count > 2 else { return }
    next()
    put(json: json.utf8.dropFirst().dropLast())
  }

  package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
    member(name) { $0.object(members) }
  }
}
