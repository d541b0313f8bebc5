// Map keys that Swift considers equal although protobuf considers them different.
//
// Swift compares strings by canonical equivalence: é as one code point equals é as two. A
// dictionary can hold only one of these keys. The entries of the others stay among the message's
// unknown fields in their wire form and are written with them. JSON has no unknown fields and
// shows them in their map.

/// The result of adding an entry to a map.
@usableFromInline
enum MapChange {
  case added
  case replaced
  /// The dictionary holds a different key that Swift considers equal.
  case collided
}

extension Dictionary {
  /// Sets a value, unless the dictionary holds a different key that is equal in Swift.
  @inlinable
  mutating func set<K: MapKeyKind>(_ value: Value, for key: Key, _ kind: K) -> MapChange
  where K.Value == Key {
    guard let former = updateValue(value, forKey: key), let index = index(forKey: key) else {
      return .added
    }
    if K.areSame(self[index].key, key) { return .replaced }
    values[index] = former
    return .collided
  }

  /// Whether the dictionary holds this key, and not only one that is equal in Swift.
  @inlinable
  func contains<K: MapKeyKind>(_ key: Key, _ kind: K) -> Bool where K.Value == Key {
    index(forKey: key).map { K.areSame(self[$0].key, key) } ?? false
  }

  /// All entries in writing order, including those among the unknown fields.
  @inlinable
  func allEntries<K: MapKeyKind, V: FieldKind>(
    _ key: K, _ value: V, _ number: Int, _ unknownFields: UnknownFields
  ) -> [(key: Key, value: Value)] where K.Value == Key, V.Value == Value {
    let others = unknownFields.isEmpty ? [] : unknownFields.entries(of: number, key, value)
    return (others + self).sorted { K.isOrdered($0.key, before: $1.key) }
  }
}

extension UnknownFields {
  /// Keeps a map entry whose key collides with another in the dictionary.
  @usableFromInline
  mutating func append<K: MapKeyKind, V: FieldKind>(
    _ entry: [K.Value: V.Value], of number: Int, _ key: K, _ value: V
  ) {
    var counter = SizeCounter()
    counter.map(entry, key, value, number, "", UnknownFields())
    let bytes = counter.bytes { writer throws(WireWriter.Full) in
      try writer.map(entry, key, value, number, "", UnknownFields())
    }
    append(bytes)
  }

  /// The map entries among the unknown fields; the last one for each key.
  @usableFromInline
  func entries<K: MapKeyKind, V: FieldKind>(
    of number: Int, _ key: K, _ value: V
  ) -> [(key: K.Value, value: V.Value)] {
    unsafe bytes.withUnsafeBytes { bytes in
      var reader = unsafe WireReader(bytes, options: DecodingOptions())
      reader.remainingDepth = .max
      reader.memoryBudget = .max
      var entries: [[UInt8]: (key: K.Value, value: V.Value)] = [:]
      // The bytes were decoded before, so they are valid.
      while let found = try? reader.nextTag() {
        if found == number, reader.wireType == WireType.lengthDelimited.rawValue {
          var entry: [K.Value: V.Value] = [:]
          guard (try? reader.map(&entry, key, value)) == true, let entry = entry.first else {
            break
          }
          entries[Array(K.jsonKey(entry.key).utf8)] = entry
        } else {
          guard (try? reader.skipValue()) != nil else { break }
        }
      }
      return Array(entries.values)
    }
  }
}
