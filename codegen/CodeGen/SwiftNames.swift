/// How names of .proto files become names of Swift.
enum SwiftNames {
  /// `vehicle_id` -> `vehicleId`, `FIELD_NAME` -> `fieldName`, `_field__name3` -> `fieldName3`.
  static func lowerCamel(_ name: String) -> String {
    let camel = upperCamel(name)
    guard let first = camel.first else { return "_" }
    if first.isNumber { return "_" + camel }
    return first.lowercased() + camel.dropFirst()
  }

  /// `vehicle_attribute_value` -> `VehicleAttributeValue`.
  static func upperCamel(_ name: String) -> String {
    name.split(separator: "_").map { part in
      // SHOUTED words are lowered, mixed ones keep their humps.
      let isShouted = !part.contains { $0.isLowercase }
      let rest = part.dropFirst()
      return part.prefix(1).uppercased() + (isShouted ? rest.lowercased() : String(rest))
    }.joined()
  }

  /// The prefix of a file's top-level types: the option `swift_prefix`, else the package with
  /// capitals and underscores, `foo.bar_baz` -> `Foo_BarBaz_`. Google's own well-known types
  /// have none.
  static func prefix(package: String, option: String?) -> String {
    if let option { return option }
    if package == "google.protobuf" || package.hasPrefix("google.protobuf.") { return "" }
    return package.split(separator: ".").map { upperCamel(String($0)) + "_" }.joined()
  }

  /// The name of a message or enum, changed when Swift has another use for it.
  static func type(_ name: String, fullName: String, isEnum: Bool) -> String {
    switch fullName {
    case ".google.protobuf.Any": return "AnyMessage"
    case ".google.protobuf.Duration": return "WireDuration"
    default: return takenTypeNames.contains(name) ? name + (isEnum ? "Enum" : "Message") : name
    }
  }

  /// Names that mean something else inside a generated type.
  private static let takenTypeNames: Set<String> = [
    "Any", "Array", "Bool", "Dictionary", "Double", "Error", "Float", "Hashable", "Hasher", "Int",
    "Int32", "Int64", "Never", "Optional", "Protocol", "Self", "Sendable", "Set", "String",
    "Swift", "Type", "UInt8", "UInt32", "UInt64", "Void",
    "Boxed", "DecodingError", "FieldDecoder", "FieldDescriptor", "FieldTable", "FieldVisitor",
    "JSONEncodingError", "JSONWriter", "Message", "PlainMessage", "ProtoEnum", "RecordBytes",
    "RecordBytesWriter", "RecordMessage", "SizeCounter", "UnknownFields", "WireReader",
    "WireWriter",
  ]

  /// A name as a declaration or after a dot: in backticks when it is a keyword.
  static func escaped(_ name: String) -> String {
    switch name {
    // These stay special even in backticks, or are members that every message has.
    case "self", "init", "hashValue", "unknownFields": name + "Field"
    default: keywords.contains(name) ? "`\(name)`" : name
    }
  }

  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Adds the numbers to those of the names that occur more than once, and underscores where
  /// that is some other's name.
  static func unique(_ names: [(name: String, number: Int)]) -> [String] {
    let counts = Dictionary(names.map { ($0.name, 1) }, uniquingKeysWith: +)
    var taken = Set(counts.keys)
    return names.map { name, number in
      if counts[name] == 1 { return name }
      var numbered = name + (number < 0 ? "Minus" : "") + "\(number.magnitude)"
      while !taken.insert(numbered).inserted { numbered += "_" }
      return numbered
    }
  }
}
