/// Why text is not the JSON of a message, and where.
public struct JSONDecodingError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Error, Hashable, Sendable {
    /// The text ends too early.
    case truncated
    /// Something else was to come here: "a value", "a colon", …
    case expected(Expectation)
    /// Not UTF-8, an unknown escape, a lone surrogate, a control character.
    case malformedString
    /// A number that JSON or the field's type does not allow.
    case malformedNumber
    /// An integer that does not fit the field, or has decimals; a double too large.
    case numberOutOfRange
    case malformedBase64
    /// A name that the enum does not have.
    case unknownEnumValue
    /// A name that the message does not have.
    case unknownField
    /// A field or a key that was there before, or a second one of a oneof.
    case duplicateField
    /// An RFC 3339 time, a duration or a field mask that is none.
    case malformedWellKnownType
    /// An Any without `@type`, or of a type that is not known.
    case unknownAnyType
    /// An Any of a well-known type without `value`.
    case missingAnyValue
    /// Objects and arrays nested deeper than ``JSONDecodingOptions/recursionLimit``.
    case tooDeep
    /// The message would take far more memory, or the keys of its maps more time, than
    /// ``JSONDecodingOptions/memoryFactor`` allows.
    case tooMuchMemory
    /// Text after the end of the value.
    case trailingText
  }

  /// What was expected.
  public enum Expectation: String, Hashable, Sendable {
    case value = "a value"
    case object = "{"
    case array = "["
    case string = "a string"
    case number = "a number"
    case bool = "true or false"
    case key = "a field name in quotes"
    case colon = ":"
    case commaOrEnd = ", or the end of the object or array"
  }

  public let reason: Reason
  /// Type, then fields by their names in the .proto file: `Trip.route[3].latitude`.
  public let fieldPath: String
  /// From 1.
  public let line: Int
  /// In bytes of the line, from 1.
  public let column: Int
}

extension JSONDecodingError: CustomStringConvertible {
  public var description: String {
    "\(line):\(column): \(fieldPath): \(reason)"
  }
}

extension JSONDecodingError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .truncated: "truncated"
    case .expected(let what): "expected \(what.rawValue)"
    case .malformedString: "malformed string"
    case .malformedNumber: "malformed number"
    case .numberOutOfRange: "number out of range"
    case .malformedBase64: "malformed base64"
    case .unknownEnumValue: "unknown enum value"
    case .unknownField: "unknown field"
    case .duplicateField: "duplicate field"
    case .malformedWellKnownType: "malformed value"
    case .unknownAnyType: "unknown or missing @type"
    case .missingAnyValue: "missing value"
    case .tooDeep: "nested too deep"
    case .tooMuchMemory: "takes more memory or time than JSONDecodingOptions.memoryFactor allows"
    case .trailingText: "text after the end"
    }
  }
}

/// How JSON is read.
public struct JSONDecodingOptions: Sendable {
  /// Whether fields and enum names that the types do not have are skipped instead of refused.
  public var ignoresUnknownFields: Bool
  /// How deep objects and arrays may nest.
  public var recursionLimit: Int
  /// How many bytes of memory messages and map entries may take for each byte of the text, beside
  /// a first 1 MiB; see ``DecodingOptions/memoryFactor``.
  public var memoryFactor: Int
  /// The types that may be inside a google.protobuf.Any, beside the well-known ones.
  public var types: TypeRegistry

  public init(
    ignoresUnknownFields: Bool = false, recursionLimit: Int = 100, memoryFactor: Int = 64,
    types: TypeRegistry = TypeRegistry()
  ) {
    self.ignoresUnknownFields = ignoresUnknownFields
    self.recursionLimit = recursionLimit
    self.memoryFactor = memoryFactor
    self.types = types
  }
}
