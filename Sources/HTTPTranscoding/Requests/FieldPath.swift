import DynamicProtobuf
import WireProtobuf

/// The path of a field of a request whose value is text, in a path or a query: `task.name`.
struct FieldPath: Sendable, Equatable {
  struct Failure: Error {
    /// "is a message"
    let reason: String
  }

  /// The field and those that enclose it.
  private let fields: [DynamicProtobuf.FieldDescriptor]
  private let value: Value
  private let type: MessageDescriptor
  private let pool: DescriptorPool

  /// How the JSON of a value follows from its text.
  private enum Value {
    case string, bool, `enum`, fieldMask
  }

  /// - Parameter path: names in lowerCamelCase or as in the .proto file, joined by dots.
  init(
    _ path: String, of descriptor: MessageDescriptor, in pool: DescriptorPool
  ) throws(Failure) {
    var fields: [DynamicProtobuf.FieldDescriptor] = []
    var value: Value?
    var type: MessageDescriptor? = descriptor
    for name in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard let enclosing = type, let field = enclosing[String(name)] else {
        throw Failure(reason: "is not a field of \(descriptor.fullName)")
      }
      guard field.cardinality != .map, fields.last?.cardinality != .repeated else {
        throw Failure(reason: "is a map, or inside a repeated field")
      }
      fields.append(field)
      type = nil
      switch field.type {
      case .scalar(let kind): value = kind is BoolKind.Type ? .bool : .string
      case .enum: value = .enum
      case .message(let index):
        let message = pool.messages[index]
        value = Self.textForms[message.fullName]
        if !message.hasCustomJSON { type = message }
      }
    }
    guard let value else { throw Failure(reason: "is a message; name one of its fields") }
    (self.fields, self.value, self.type, self.pool) = (fields, value, descriptor, pool)
  }

  /// The messages whose JSON is not an object, and fits into a parameter.
  private static let textForms: [String: Value] = {
    let strings = ["String", "Bytes", "Int32", "Int64", "UInt32", "UInt64", "Float", "Double"]
    var forms: [String: Value] = [
      "Timestamp": .string, "Duration": .string, "FieldMask": .fieldMask,
    ]
    for name in strings { forms["\(name)Value"] = .string }
    forms["BoolValue"] = .bool
    return Dictionary(uniqueKeysWithValues: forms.map { ("google.protobuf.\($0.key)", $0.value) })
  }()

  static func == (a: FieldPath, b: FieldPath) -> Bool { a.name == b.name }

  /// The names as in the .proto file: `task.name`.
  var name: String { fields.map(\.name).joined(separator: ".") }

  /// The outermost field.
  var root: DynamicProtobuf.FieldDescriptor? { fields.first }

  var isRepeated: Bool { fields.last?.cardinality == .repeated }

  /// Returns a request, in binary form, with only this field. Several of them in a row are a request with all their
  /// fields (protobuf encoding, "Last One Wins").
  func serializedBytes(_ text: String) throws(Failure) -> [UInt8] {
    let json = JSONWriter.bytes { json in
      for field in fields {
        json.beginObject()
        json.key(escaping: field.jsonName)
      }
      if isRepeated {
        json.array([text]) { write($1, to: &$0) }
      } else {
        write(text, to: &json)
      }
      for _ in fields { json.endObject() }
    }
    do throws(JSONDecodingError) {
      return try DynamicMessage(jsonUTF8Bytes: json, as: type, in: pool).serializedBytes()
    } catch {
      throw Failure(reason: "is \(text.quotedForDisplay): \(error.reason)")
    }
  }

  private func write(_ text: String, to json: inout JSONWriter) {
    switch value {
    case .bool where text == "true" || text == "false": json.put(plain: text)
    case .enum where Int32(text) != nil: json.put(plain: text)
    case .fieldMask: json.put(string: FieldDescriptor.defaultJSONName(of: text))
    case .string, .bool, .enum: json.put(string: text)
    }
  }
}
