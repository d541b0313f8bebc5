/// How JSON is written.
public struct JSONEncodingOptions: Sendable {
  /// One member a line, indented by two spaces, instead of everything on one line.
  public var pretty: Bool
  /// The types that may be inside a google.protobuf.Any, beside the well-known ones.
  public var types: TypeRegistry

  public init(pretty: Bool = false, types: TypeRegistry = TypeRegistry()) {
    self.pretty = pretty
    self.types = types
  }

  /// Two-space indentation.
  public static var pretty: JSONEncodingOptions { JSONEncodingOptions(pretty: true) }
}

/// A message that has no JSON form.
public struct JSONEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The type at fault, "google.protobuf.Timestamp".
  public let messageName: String
  /// What is wrong with it.
  public let reason: String
  /// Type, then fields by their names in the .proto file: `Trip.route[3].time`.
  public internal(set) var fieldPath = ""

  package init(messageName: String, reason: String) {
    self.messageName = messageName
    self.reason = reason
  }

  public var description: String { "\(fieldPath): \(reason)" }
}
