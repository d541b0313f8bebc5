// The members of JSON objects by their types: nil for another type, too.

extension Struct {
  /// The members in alphabetical order.
  package var members: [(name: String, value: Value)] {
    fields.keys.sorted().map { ($0, fields[$0] ?? Value()) }
  }

  /// Whether there is a member with this name that is not null.
  package func has(_ name: String) -> Bool {
    switch fields[name]?.kind {
    case nil, .nullValue?: false
    default: true
    }
  }

  package func object(_ name: String) -> Struct? { fields[name]?.structValue }

  package func text(_ name: String) -> String? { fields[name]?.text }

  package func number(_ name: String) -> Double? { fields[name]?.numberValue }

  /// Returns a whole number that is not negative.
  package func integer(_ name: String) -> UInt64? { number(name).flatMap(UInt64.init(exactly:)) }

  package func bool(_ name: String) -> Bool? { fields[name]?.boolValue }

  /// Returns the strings of an array.
  package func texts(_ name: String) -> [String] {
    fields[name]?.listValue?.values.compactMap(\.text) ?? []
  }
}

extension Value {
  package var text: String? { stringValue }

  /// The JSON with whole numbers written without ".0", which readers of integers reject.
  package var plainJSON: String { JSONWriter.text { $0.put(plain: self) } }
}

extension JSONWriter {
  fileprivate mutating func put(plain value: Value) {
    switch value.kind {
    case .numberValue(let number)? where Int64(exactly: number) != nil: put(number: Int64(number))
    case .structValue(let object)?:
      self.object { json in
        for (name, value) in object.members { json.member(name) { $0.put(plain: value) } }
      }
    case .listValue(let list)?: array(list.values) { $0.put(plain: $1) }
    default: put(json: ((try? value.jsonString()) ?? "null").utf8)
    }
  }
}
