/// A sub-message kept out of line, because its type contains itself.
public struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  /// At most one element: an array is the box.
  private var box: [Value] = []

  public init() {}

  public var value: Value? {
    get { box.first }
    // In place: getting and setting would copy all that is inside.
    _modify {
      var value = box.popLast()
      defer { if let value { box.append(value) } }
      yield &value
    }
  }
}
