/// Why text is not the JSON of a message, and where.
public struct JSONDecodingError: Error, Hashable, Sendable {
  /// What is wrong. Text of the input is without control characters, and cut off after 100 others.
  public enum Reason: Error, Hashable, Sendable {
    /// The text ends too early.
    case truncated
    /// Something else was to come here: "a value", "a colon", …
    case expected(Expectation)
    /// Not UTF-8, an unknown escape, a lone surrogate, a control character.
    case malformedString
    /// A number that JSON or the field's type does not allow.
    case malformedNumber
    /// An integer that does not fit the field; a double too large.
    case numberOutOfRange
    /// A number with decimals where an integer was to come.
    case notAnInteger
    case malformedBase64
    /// A name that the enum, "maps.fleetengine.v1.TripType", does not have.
    case unknownEnumValue(String, enumName: String)
    /// A name that the message does not have; perhaps another was meant.
    case unknownField(String, suggestion: String?)
    /// A field or a key that was there before.
    case duplicateField
    /// A field of a oneof after another of it.
    case oneofAlreadySet
    /// An Any without `@type`.
    case missingAnyType
    /// An Any with a `@type` that ``JSONDecodingOptions/types`` does not have.
    case unknownAnyType(String)
    /// An Any with a `@type` that has no slash.
    case malformedTypeURL(String)
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
    case enumValue = "an enum value: its name in quotes or its number"
    case timestamp = "an RFC 3339 time in the years 1 to 9999, such as 2026-11-21T10:00:00Z"
    case duration = "seconds with an s, such as 1.5s, up to 10,000 years"
    case fieldMask = "lowerCamelCase paths separated by commas, such as id,tripStatus"
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
    case .notAnInteger: "not an integer"
    case .unknownEnumValue(let name, let enumName):
      "\(enumName) has no value \(name.quotedForPeople)"
    case .unknownField(let name, let suggestion?):
      "unknown field \(name.quotedForPeople); did you mean \(suggestion)?"
    case .unknownField(let name, nil):
      "unknown field \(name.quotedForPeople); "
        + "set JSONDecodingOptions.ignoresUnknownFields to ignore it"
    case .duplicateField: "duplicate field"
    case .oneofAlreadySet: "another field of the same oneof is already set"
    case .missingAnyType: "missing @type, the type URL of the message"
    case .unknownAnyType(let url):
      "the type \(url.quotedForPeople) is unknown; add it to JSONDecodingOptions.types"
    case .malformedTypeURL(let url):
      "the type URL \(url.quotedForPeople) has no / before the type name"
    case .missingAnyValue: "missing value, the JSON of the message"
    case .tooDeep: "nested deeper than JSONDecodingOptions.recursionLimit allows"
    case .tooMuchMemory: "needs more memory or time than JSONDecodingOptions.memoryFactor allows"
    case .trailingText: "unexpected text after the end"
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
