public import Testing

/// A test argument that is displayed by its name, because its value is long or must not be logged.
public struct Named<Value: Sendable>: CustomTestStringConvertible, Sendable {
  public let testDescription: String
  public let value: Value

  public init(_ name: String, _ value: Value) {
    testDescription = name
    self.value = value
  }
}
