/// An optional that takes one word while it is nil, for large values that are rarely set.
enum BoxedOptional<Value: Sendable>: Sendable {
  case none
  indirect case some(Value)

  init(_ value: Value?) {
    self = value.map { .some($0) } ?? .none
  }

  var value: Value? {
    if case .some(let value) = self { value } else { nil }
  }
}
