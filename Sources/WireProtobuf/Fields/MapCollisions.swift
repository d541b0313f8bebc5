// Keys of maps that Swift takes for equal although they are not the same.
//
// Swift compares strings by canonical equivalence: é is one code point or two. A dictionary has
// room for one such key; entries of the others stay among the message's unknown fields, as they
// are on the wire, and are written with these. JSON, which has no unknown fields, shows them where
// they belong.

/// What became of an entry.
@usableFromInline
enum MapChange {
  case added
  case replaced
  /// It has no place.
  case collided
}

extension Dictionary {
  /// Sets a value unless the key is another than its equal in the dictionary.
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

  /// The entries in the order of writing, with those that are among the unknown fields.
  @inlinable
  func allEntries<K: MapKeyKind, V: FieldKind>(
    _ key: K, _ value: V, _ number: Int, _ unknownFields: UnknownFields
  ) -> [(key: Key, value: Value)] where K.Value == Key, V.Value == Value {
    let others = unknownFields.isEmpty ? [] : unknownFields.entries(of: number, key, value)
    return (others + self).sorted { K.isOrdered($0.key, before: $1.key) }
  }
}

extension UnknownFields {
  /// Keeps an entry of a map that has no place in its dictionary.
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

  /// The entries of a map that have no place in its dictionary: of each key the last.
  @usableFromInline
  func entries<K: MapKeyKind, V: FieldKind>(
    of number: Int, _ key: K, _ value: V
  ) -> [(key: K.Value, value: V.Value)] {
    unsafe bytes.withUnsafeBytes { bytes in
      var reader = unsafe WireReader(bytes, options: DecodingOptions())
      reader.remainingDepth = .max
      reader.memoryBudget = .max
      var entries: [[UInt8]: (key: K.Value, value: V.Value)] = [:]
      // The bytes were read before: they have no faults.
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
