/// A sub-message stored out of line, because its type contains itself.
public struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  /// At most one element; the array provides the indirection.
  private var box: [Value] = []

  /// Creates a box without a sub-message.
  public init() {}

  /// The sub-message; nil if the field is absent.
  public var value: Value? {
    get { box.first }
    // Modified in place: a getter and setter would copy the whole sub-message.
    _modify {
      var value = box.popLast()
      defer { if let value { box.append(value) } }
      yield &value
    }
  }
}
