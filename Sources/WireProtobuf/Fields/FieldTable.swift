/// The names and types of a message's fields, at run time.
public struct FieldTable: Sendable {
  /// The fields of the message.
  public let fields: [FieldDescriptor]

  /// Creates the table that generated code returns for a message type.
  public init(_ fields: FieldDescriptor...) {
    self.fields = fields
  }

  /// Returns the field with a number; nil if the type does not declare it.
  public subscript(number: Int) -> FieldDescriptor? {
    fields.first { $0.number == number }
  }
}

/// One field of a message.
public struct FieldDescriptor: Sendable {
  /// How often the field may occur.
  public enum Cardinality: Sendable {
    /// A field with at most one value.
    case singular
    /// A list of values, in the order of the message.
    case repeated
    /// Values by key.
    case map
  }

  /// The number in the .proto file, from 1 to 536,870,911.
  public let number: Int
  /// The name in the .proto file, such as "remaining_waypoints".
  public let name: StaticString
  /// The name in JSON, such as "remainingWaypoints", without quotes and already escaped for use between
  /// them.
  public let jsonName: StaticString
  /// How often the field may occur.
  public let cardinality: Cardinality
  /// The type of a message field, or of the values of a map with message values.
  public let message: (any Message.Type)?
  /// The .proto name of the oneof that contains the field.
  public let oneof: StaticString?

  /// Creates the description of a field. See the properties.
  public init(
    _ number: Int, _ name: StaticString, json jsonName: StaticString,
    _ cardinality: Cardinality = .singular, message: (any Message.Type)? = nil,
    oneof: StaticString? = nil
  ) {
    self.number = number
    self.name = name
    self.jsonName = jsonName
    self.cardinality = cardinality
    self.message = message
    self.oneof = oneof
  }
}
