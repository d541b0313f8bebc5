/// An error in the JSON of a message, with the field, the line and the column.
public struct JSONDecodingError: Error, Hashable, Sendable {
  /// The cause of the error. Text quoted from the input is shortened to 100 characters, and its
  /// control characters are removed.
  public enum Reason: Error, Hashable, Sendable {
    /// The text ends before the value does.
    case truncated
    /// Input other than expected: "a value", "a colon", …
    case expected(Expectation)
    /// A string that is not valid JSON (RFC 8259, section 7).
    case malformedString(StringFault)
    /// A number that is invalid in JSON or for the field's type.
    case malformedNumber
    /// An integer or a floating-point number out of the field's range.
    case numberOutOfRange
    /// A number with a fraction in an integer field.
    case notAnInteger
    /// Text in a `bytes` field that is neither Base64 nor its URL-safe form (RFC 4648).
    case malformedBase64
    /// A name that the enum does not have. `enumName` is the full name, such as
    /// "maps.fleetengine.v1.TripType", and `names` are those that it has.
    case unknownEnumValue(String, enumName: String, names: [String])
    /// A name that the message does not have, with a similar known name if there is one.
    case unknownField(String, suggestion: String?)
    /// A field or map key that occurs twice.
    case duplicateField
    /// A second member of a oneof: its JSON name, and that of a member that is already set.
    case oneofAlreadySet(String, by: String)
    /// An Any without `@type`.
    case missingAnyType
    /// An Any whose `@type` is not in ``JSONDecodingOptions/types``.
    case unknownAnyType(String)
    /// An Any whose `@type` has no slash.
    case malformedTypeURL(String)
    /// An Any with a well-known type but no `value`.
    case missingAnyValue
    /// Messages nested deeper than ``JSONDecodingOptions/recursionLimit``.
    case tooDeep
    /// The message needs more memory than ``JSONDecodingOptions/memoryFactor`` allows, or its map
    /// keys need more time to compare.
    case tooMuchMemory
    /// Text after the end of the value.
    case trailingText
  }

  /// The reason why a string is malformed.
  public enum StringFault: String, Hashable, Sendable {
    /// Bytes that are not valid UTF-8.
    case invalidUTF8 = "invalid UTF-8"
    /// A backslash before a character that does not begin an escape, or `\u` without four
    /// hexadecimal digits.
    case invalidEscape = "invalid escape"
    /// An escaped surrogate that is not part of a pair.
    case unpairedSurrogate = "unpaired surrogate"
    /// A character below U+0020 that is not escaped.
    case controlCharacter = "control character that is not escaped"
  }

  /// The input that was expected.
  public enum Expectation: String, Hashable, Sendable {
    /// Any JSON value.
    case value = "a value"
    /// An object, for a message or a map.
    case object = "a JSON object that begins with {"
    /// An array, for a repeated field.
    case array = "a JSON array that begins with ["
    /// A string.
    case string = "a string"
    /// A number, also in quotes.
    case number = "a number"
    /// The name or the number of an enum value.
    case enumValue = "an enum value: its name in double quotes or its number"
    /// A google.protobuf.Timestamp as RFC 3339 text.
    case timestamp = "an RFC 3339 time in the years 1 to 9999, such as \"2026-11-21T10:00:00Z\""
    /// A google.protobuf.Duration in seconds.
    case duration = "a duration in seconds with the suffix s, such as \"1.5s\", up to 10,000 years"
    /// The paths of a google.protobuf.FieldMask.
    case fieldMask = "lowerCamelCase paths separated by commas, such as \"id,tripStatus\""
    /// A boolean.
    case bool = "true or false"
    /// The name of a member of an object.
    case key = "a field name in double quotes"
    /// The key of a map with boolean keys.
    case boolKey = "the key true or false"
    /// The key of a map with integer keys.
    case integerKey = "an integer key in the range of its type"
    /// The colon after the name of a member.
    case colon = "a colon"
    /// The separator after an element or a member, or the closing bracket.
    case commaOrEnd = "a comma or the end of the object or array"
  }

  /// The cause of the error.
  public let reason: Reason
  /// The message type, then the fields by their .proto names: `Trip.route[3].latitude`.
  public let fieldPath: String
  /// The fields by their names in the text, without the message type; "" for the message itself.
  package let namePath: String
  /// The line, from 1.
  public let line: Int
  /// The column in bytes, from 1.
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
    case .malformedString(let fault): "malformed string: \(fault.rawValue)"
    case .malformedNumber: "malformed number"
    case .numberOutOfRange: "number out of range"
    case .malformedBase64: "malformed base64"
    case .notAnInteger: "not an integer"
    case .unknownEnumValue(let name, let enumName, let names):
      "\(enumName) has no value \(name.quotedForDisplay)"
        + (names.suggestion(for: name).map { "; did you mean \($0)?" }
          ?? (names.count <= 20 ? "; expected one of \(names.joined(separator: ", "))" : ""))
    case .unknownField(let name, let suggestion?):
      "unknown field \(name.quotedForDisplay); did you mean \(suggestion)?"
    case .unknownField(let name, nil):
      "unknown field \(name.quotedForDisplay)"
    case .duplicateField: "duplicate field"
    case .oneofAlreadySet(let field, let other):
      "\(field.forDisplay) cannot be set together with \(other.forDisplay)"
    case .missingAnyType:
      "the field \"@type\" with the type URL of the message is missing"
    case .unknownAnyType(let url):
      "the type \(url.quotedForDisplay) is unknown; add it to JSONDecodingOptions.types"
    case .malformedTypeURL(let url):
      "the type URL \(url.quotedForDisplay) has no / before the type name"
    case .missingAnyValue:
      "the field \"value\" with the JSON of the message is missing"
    case .tooDeep: "nested deeper than JSONDecodingOptions.recursionLimit allows"
    case .tooMuchMemory: "needs more memory or time than JSONDecodingOptions.memoryFactor allows"
    case .trailingText: "unexpected text after the end"
    }
  }
}

extension JSONDecodingError.Reason {
  /// The reason without the names of the library's options, for users of a command.
  package var text: String {
    switch self {
    case .unknownField(let name, suggestion: nil): "unknown field \(name.quotedForDisplay)"
    case .unknownAnyType(let url): "unknown type \(url.quotedForDisplay)"
    case .tooDeep: "nested more than 100 levels deep"
    case .tooMuchMemory: "needs too much memory or time"
    default: description
    }
  }
}

/// Options for decoding JSON.
public struct JSONDecodingOptions: Sendable {
  /// Whether unknown fields and enum names are skipped instead of rejected.
  public var ignoresUnknownFields: Bool
  /// The maximum nesting depth of messages, as ``DecodingOptions/recursionLimit`` counts it, so that the
  /// binary form of the message can be decoded.
  ///
  /// A map entry takes a level, as does the message of a google.protobuf.Any. In google.protobuf.Value, an
  /// array takes two levels and an object three. Values of unknown fields may have twice as many levels of JSON.
  public var recursionLimit: Int
  /// The maximum memory for messages and map entries, in bytes per byte of text. 1 MiB is always
  /// allowed in addition; see ``DecodingOptions/memoryFactor``.
  public var memoryFactor: Int
  /// The types that a google.protobuf.Any may contain, in addition to the well-known ones.
  public var types: TypeRegistry

  /// Creates options. By default, unknown fields are errors and messages may nest 100 deep.
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
