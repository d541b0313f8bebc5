public import Testing

/// A test argument that is shown by its name: its value is long, or belongs in no log.
public struct Named<Value: Sendable>: CustomTestStringConvertible, Sendable {
  public let testDescription: String
  public let value: Value

  public init(_ name: String, _ value: Value) {
    testDescription = name
    self.value = value
  }
}
