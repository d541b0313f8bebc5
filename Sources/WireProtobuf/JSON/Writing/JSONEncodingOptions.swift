/// Options for encoding JSON.
public struct JSONEncodingOptions: Sendable {
  /// Whether each member is on its own line, indented by two spaces. Otherwise there is one line.
  public var pretty: Bool
  /// The types that a google.protobuf.Any may contain, in addition to the well-known ones.
  public var types: TypeRegistry

  /// Creates options.
  ///
  /// - Parameters:
  ///   - pretty: whether to use several lines with indentation.
  ///   - types: the message types that `Any` may contain.
  public init(pretty: Bool = false, types: TypeRegistry = TypeRegistry()) {
    self.pretty = pretty
    self.types = types
  }

  /// Options with two-space indentation.
  public static var pretty: JSONEncodingOptions { JSONEncodingOptions(pretty: true) }
}

/// A message that cannot be represented in JSON.
public struct JSONEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The full name of the invalid message, such as "google.protobuf.Timestamp".
  public let messageName: String
  /// The reason why it is invalid.
  public let reason: String
  /// The message type, then the fields by their .proto names: `Trip.route[3].time`.
  public internal(set) var fieldPath = ""

  package init(messageName: String, reason: String) {
    self.messageName = messageName
    self.reason = reason
  }

  /// The path of the field and the reason.
  public var description: String { "\(fieldPath): \(reason)" }
}
