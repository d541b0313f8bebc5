// A JSON literal is also a Swift literal: `["name": "ann", "tags": [1, true, nil]]`.

/// `nil` is JSON's null. In place of an optional `Value`, `nil` is the absence of a value.
extension Value: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) {
    self.init(kind: .nullValue(.nullValue))
  }
}

extension Value: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) {
    self.init(kind: .boolValue(value))
  }
}

/// Integers beyond 2^53 are rounded, because JSON numbers are doubles here.
extension Value: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Double) {
    self.init(kind: .numberValue(value))
  }
}

extension Value: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) {
    self.init(kind: .numberValue(value))
  }
}

extension Value: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) {
    self.init(kind: .stringValue(value))
  }
}

extension Value: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value...) {
    self.init(kind: .listValue(ListValue(values: elements)))
  }
}

extension Value: ExpressibleByDictionaryLiteral {
  /// If a key is repeated, its last value is used.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(kind: .structValue(Struct(elements)))
  }
}

extension ListValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value...) {
    self.init(values: elements)
  }
}

extension Struct: ExpressibleByDictionaryLiteral {
  /// If a key is repeated, its last value is used.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements)
  }

  fileprivate init(_ elements: [(String, Value)]) {
    self.init(fields: Dictionary(elements) { $1 })
  }
}
