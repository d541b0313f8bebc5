/// The names and types of a message's fields, at run time.
public struct FieldTable: Sendable {
  public let fields: [FieldDescriptor]

  public init(_ fields: FieldDescriptor...) {
    self.fields = fields
  }

  public subscript(number: Int) -> FieldDescriptor? {
    fields.first { $0.number == number }
  }
}

/// One field of a message.
public struct FieldDescriptor: Sendable {
  /// How often the field may occur.
  public enum Cardinality: Sendable {
    case singular
    case repeated
    case map
  }

  public let number: Int
  /// The name in the .proto file, such as "remaining_waypoints".
  public let name: StaticString
  /// The name in JSON, such as "remainingWaypoints", without quotes and already escaped for use between
  /// them.
  public let jsonName: StaticString
  public let cardinality: Cardinality
  /// The type of a message field, or of the values of a map with message values.
  public let message: (any Message.Type)?
  /// The .proto name of the oneof that contains the field.
  public let oneof: StaticString?

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
