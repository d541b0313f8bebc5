/// What there is to know about the fields of a message at run time: their names and types.
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
  /// The name in the .proto file, "remaining_waypoints".
  public let name: StaticString
  /// The name in JSON, "remainingWaypoints", as it stands between the quotes.
  public let jsonName: StaticString
  public let cardinality: Cardinality
  /// The type of a message field, and of a map's values if they are messages.
  public let message: (any Message.Type)?
  /// The name of the oneof that the field is a member of, as in the .proto file.
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
