package import CommandLine
import CommandShell
package import DynamicProtobuf
import Tripwire

/// The fields of a request as arguments of a command line: `name=bob page_size=5 place.latitude=1`.
package struct FieldArguments {
  private let type: MessageDescriptor
  private let pool: DescriptorPool
  private let lookup: SymbolLookup

  /// The path of a field, and its values as JSON.
  private struct Setting {
    let path: [DynamicProtobuf.FieldDescriptor]
    var values: [String]

    /// The names in the .proto file.
    var name: String { path.map(\.name).joined(separator: ".") }
    var isRepeated: Bool { path.last?.cardinality == .repeated }
    var value: String { isRepeated ? "[\(values.joined(separator: ","))]" : values.joined() }
  }

  package init(
    of type: MessageDescriptor, in pool: DescriptorPool, _ lookup: SymbolLookup = .builtIn
  ) {
    self.type = type
    self.pool = pool
    self.lookup = lookup
  }

  /// Returns the hint for `id:1`; nil for other words.
  package static func hint(for word: String) -> String? {
    Parse.assignment(correcting: word).map { "pass FIELD=VALUE: \(shellWord($0))" }
  }

  /// Returns the request as JSON, and the paths of its fields for an update mask.
  ///
  /// - Throws: the first argument that is not valid.
  package func request(_ arguments: [String]) throws(UsageError) -> (json: String, paths: [String])
  {
    guard isWrapper || !type.hasCustomJSON else {
      throw UsageError(
        message: "FIELD=VALUE: the fields of \(type.fullName) cannot be set", hint: Self.dataHint)
    }
    var settings: [Setting] = []
    for argument in arguments {
      let name = Parse.path(in: argument) ?? argument
      let path = try fields(name, argument)
      // U+FFFD replaces bytes that are not UTF-8.
      guard !argument.unicodeScalars.contains("\u{FFFD}") else {
        throw UsageError(message: "\(name): the value is not UTF-8")
      }
      let text = String(argument.unicodeScalars.dropFirst(name.unicodeScalars.count + 1))
      let setting = try setting(path, text, argument)
      if let index = settings.firstIndex(where: { $0.path.elementsEqual(path, by: ===) }) {
        guard setting.isRepeated else {
          throw UsageError(
            message: "\(escaped(argument)): \(name) is not a repeated field",
            hint: "pass \(name) once")
        }
        settings[index].values += setting.values
      } else {
        settings.append(setting)
      }
    }
    let json = json(of: settings)
    let request = try message(json, arguments.joined(separator: " "))
    if let missing = request.missingRequiredField {
      let path = String(missing.dropFirst())
      throw UsageError(
        message: "FIELD=VALUE: required field \(type.shortName)\(escaped(missing)) is not set",
        hint: try fields(path, path).last.map { hint(toSet: $0, path) })
    }
    return (json, settings.map(\.name))
  }

  private func fields(
    _ path: String, _ argument: String
  ) throws(UsageError) -> [DynamicProtobuf.FieldDescriptor] {
    var fields: [DynamicProtobuf.FieldDescriptor] = []
    var holder = type
    for part in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard !part.isEmpty else {
        throw UsageError(
          message: "\(escaped(argument)): a part of the path is empty",
          hint: "write one dot between two fields")
      }
      guard fields.count < 100 else {
        throw UsageError(
          message:
            "FIELD=VALUE: \(escaped(path).shortened(to: 64)) is nested deeper than 100 levels",
          hint: "set a field that is less deep")
      }
      if let field = fields.last {
        holder = try message(of: field, fields.map(\.name).joined(separator: "."), argument)
      }
      guard let field = holder[String(part)] else {
        throw unknown(String(part), of: holder, after: fields)
      }
      fields.append(field)
    }
    return fields
  }

  /// Returns the type of a field that the path of an argument passes through.
  private func message(
    of field: DynamicProtobuf.FieldDescriptor, _ path: String, _ argument: String
  ) throws(UsageError) -> MessageDescriptor {
    let place = "\(escaped(argument)): \(path)"
    guard field.cardinality == .singular else {
      throw UsageError(
        message: "\(place) is a \(field.cardinality == .map ? "map" : "repeated field")",
        hint: Self.dataHint)
    }
    guard case .message(let index) = field.type else {
      throw UsageError(message: "\(place) is not a message", hint: "pass \(path)=VALUE")
    }
    let type = pool.messages[index]
    guard !type.hasCustomJSON else {
      throw UsageError(
        message: "\(place) is a \(type.fullName), whose fields cannot be set",
        hint: isFlat(field.type) ? "pass \(path)=VALUE" : Self.dataHint)
    }
    return type
  }

  private static let dataHint = "pass JSON with -d"

  /// The JSON of a wrapper, such as google.protobuf.StringValue, is its value.
  private var isWrapper: Bool { type.hasCustomJSON && type.fields.map(\.name) == ["value"] }

  private func json(of settings: [Setting]) -> String {
    isWrapper
      ? settings.map(\.value).joined()
      : JSONWriter.text { Self.write(settings, depth: 0, to: &$0) }
  }

  /// Writes the object with these settings, whose paths agree up to `depth`.
  private static func write(_ settings: [Setting], depth: Int, to json: inout JSONWriter) {
    json.object { json in
      var rest = settings
      while let first = rest.first {
        let field = first.path[depth]
        let same = rest.filter { $0.path[depth] === field }
        rest.removeAll { $0.path[depth] === field }
        let isValue = first.path.count == depth + 1
        json.member(field.jsonName) { json in
          isValue
            ? json.put(json: first.value.utf8) : write(same, depth: depth + 1, to: &json)
        }
      }
    }
  }

  /// Returns the request that JSON describes.
  ///
  /// - Parameter arguments: those that the JSON was made of.
  private func message(_ json: String, _ arguments: String) throws(UsageError) -> DynamicMessage {
    do throws(JSONDecodingError) {
      return try DynamicMessage(jsonUTF8Bytes: Array(json.utf8), as: type, in: pool)
    } catch {
      let hint =
        switch error.reason {
        case .unknownEnumValue(_, let name, _): lookup.describe(name, to: "list its values")
        default:
          lookup.describe(
            error.message(in: type, pool).fullName, to: "show the types of its fields")
        }
      throw UsageError(
        message: "\(escaped(arguments)): \(escaped(error.reason.description))", hint: hint)
    }
  }

  private func setting(
    _ path: [DynamicProtobuf.FieldDescriptor], _ text: String, _ argument: String
  ) throws(UsageError) -> Setting {
    var setting = Setting(path: path, values: [])
    guard let field = path.last else { return setting }
    guard field.cardinality != .map, isFlat(field.type) else {
      let form =
        switch field.cardinality {
        case .map: "a map"
        case .repeated: "a list of messages"
        case .singular: "a message"
        }
      throw UsageError(
        message: "\(escaped(argument)): \(setting.name) is \(form)",
        hint: hint(toSet: field, setting.name))
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
    setting.values = [isWord ? text : quoted(text)]
    // The check limits the depth, too.
    _ = try message(json(of: [setting]), argument)
    return setting
  }

  /// - Parameter path: leads to the field.
  private func hint(toSet field: DynamicProtobuf.FieldDescriptor, _ path: String) -> String {
    guard field.cardinality == .singular else { return Self.dataHint }
    if isFlat(field.type) { return "pass \(path)=VALUE" }
    guard case .message(let index) = field.type, !pool.messages[index].hasCustomJSON else {
      return Self.dataHint
    }
    return "set its fields with \(path).FIELD=VALUE, or \(Self.dataHint)"
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

  private func unknown(
    _ name: String, of type: MessageDescriptor, after path: [DynamicProtobuf.FieldDescriptor]
  ) -> UsageError {
    let start = path.map { $0.name + "." }.joined()
    let names = type.fields.map(\.name)
    // One of several fields that begin with the name is no better than the others.
    let isBeginning = names.count { $0.hasPrefix(name) } > 1
    let guess = isBeginning ? nil : nearest(to: name, among: names)
    return UsageError(
      message: "\(start)\(escaped(name)): \(type.fullName) has no such field",
      hint: guess.map { "did you mean \(start)\($0)?" }
        ?? lookup.fields(of: type.fullName))
  }
}
