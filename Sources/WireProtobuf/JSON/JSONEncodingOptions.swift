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

  public var description: String { "\(messageName): \(reason)" }
}
