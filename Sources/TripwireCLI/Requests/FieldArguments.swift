import DynamicProtobuf
import Tripwire
import WireProtobuf

/// The fields of a request as arguments of a command line: `name=bob page_size=5`.
struct FieldArguments {
  private let type: MessageDescriptor
  private let pool: DescriptorPool

  init(of type: MessageDescriptor, in pool: DescriptorPool) {
    self.type = type
    self.pool = pool
  }

  /// Returns the name before the first `=`; nil if the argument has none.
  static func name(in argument: String) -> String? {
    // A grapheme may join the "=" and a combining character.
    let name = argument.unicodeScalars.prefix { $0 != "=" }
    let isName = name.allSatisfy { ("0"..."z").contains($0) }
    return name.endIndex < argument.endIndex && !name.isEmpty && isName ? String(name) : nil
  }

  /// Returns the request as JSON.
  ///
  /// - Throws: the first argument that is not valid.
  func json(_ arguments: [String]) throws(UsageError) -> String {
    var order: [DynamicProtobuf.FieldDescriptor] = []
    var values: [Int: [String]] = [:]
    for argument in arguments {
      let name = Self.name(in: argument) ?? argument
      guard let field = type[name] else { throw unknown(name) }
      // It stands for bytes that are not UTF-8.
      guard !argument.unicodeScalars.contains("\u{FFFD}") else {
        throw UsageError(message: "\(name): the value is not UTF-8")
      }
      let text = String(argument.unicodeScalars.dropFirst(name.unicodeScalars.count + 1))
      let value = try value(of: field, text, argument)
      if values[field.number] == nil {
        order.append(field)
      } else if field.cardinality == .singular {
        throw UsageError(
          message: "\(escaped(argument)): \(name) is not a repeated field",
          hint: "pass \(name) once")
      }
      values[field.number, default: []].append(value)
    }
    let members = order.map { field in
      let all = values[field.number, default: []].joined(separator: ",")
      return "\(quoted(field.jsonName)):" + (field.cardinality == .singular ? all : "[\(all)]")
    }
    let json = "{" + members.joined(separator: ",") + "}"
    try check(json, arguments.joined(separator: " "))
    return json
  }

  /// - Parameter arguments: those that the JSON was made of.
  private func check(_ json: String, _ arguments: String) throws(UsageError) {
    do throws(JSONDecodingError) {
      _ = try DynamicMessage(jsonUTF8Bytes: Array(json.utf8), as: type, in: pool)
    } catch {
      let hint =
        switch error.reason {
        case .unknownEnumValue(_, let name): "run 'tripwire describe \(name)' to list its values"
        default: "run 'tripwire describe \(type.fullName)' to show the types of its fields"
        }
      throw UsageError(
        message: "\(escaped(arguments)): \(escaped(error.reason.description))", hint: hint)
    }
  }

  /// Returns one value as JSON.
  private func value(
    of field: DynamicProtobuf.FieldDescriptor, _ text: String, _ argument: String
  ) throws(UsageError) -> String {
    guard field.cardinality != .map, isFlat(field.type) else {
      throw UsageError(
        message: "\(escaped(argument)): \(field.name) is a message or a map",
        hint: "pass the request as JSON with -d")
    }
    // JSON takes numbers in quotes, but neither the numbers of an enum nor booleans.
    let isWord =
      switch field.type {
      case .enum: Int32(text) != nil
      case .scalar(let kind): kind is BoolKind.Type && (text == "true" || text == "false")
      case .message(let index):
        pool.messages[index].fullName == BoolValue.messageName
          && (text == "true" || text == "false")
      }
    let json = isWord ? text : quoted(text)
    let list = field.cardinality == .singular ? json : "[\(json)]"
    try check("{\(quoted(field.jsonName)):\(list)}", argument)
    return json
  }

  /// Whether JSON has the values of the type as strings, numbers or booleans.
  private func isFlat(_ type: FieldType) -> Bool {
    switch type {
    case .scalar, .enum: true
    case .message(let index):
      pool.messages[index].hasCustomJSON
        && !["Struct", "Value", "ListValue", "Any"].contains(pool.messages[index].shortName)
    }
  }

  private func unknown(_ name: String) -> UsageError {
    let guess = nearest(to: name, among: type.fields.map(\.name))
    return UsageError(
      message: "\(escaped(name)): \(type.fullName) has no such field",
      hint: guess.map { "did you mean \($0)?" }
        ?? UsageError.hint(forFieldsOf: type.fullName))
  }
}
