/// Makes Swift names from names of .proto files.
enum SwiftNames {
  /// `vehicle_id` -> `vehicleId`, `FIELD_NAME` -> `fieldName`, `_field__name3` -> `fieldName3`,
  /// `_` -> `underscore`.
  static func lowerCamel(_ name: String) -> String {
    let camel = upperCamel(name)
    guard let first = camel.first else { return "underscore" }
    if first.isNumber { return "_" + camel }
    return first.lowercased() + camel.dropFirst()
  }

  /// `vehicle_attribute_value` -> `VehicleAttributeValue`.
  static func upperCamel(_ name: String) -> String {
    name.split(separator: "_").map { part in
      // Words in upper case become lower case; mixed words keep their case.
      let isShouted = !part.contains { $0.isLowercase }
      let rest = part.dropFirst()
      return part.prefix(1).uppercased() + (isShouted ? rest.lowercased() : String(rest))
    }.joined()
  }

  /// The prefix of a file's top-level types: its option `swift_prefix`, else the plugin's option, else the
  /// package in camel case and underscores, `foo.bar_baz` -> `Foo_BarBaz_`. Google's well-known types have
  /// none.
  static func prefix(package: String, swiftPrefix: String?, plugin: String? = nil) -> String {
    if let swiftPrefix { return swiftPrefix }
    if package == "google.protobuf" || package.hasPrefix("google.protobuf.") { return "" }
    return plugin ?? package.split(separator: ".").map { upperCamel(String($0)) + "_" }.joined()
  }

  /// The member of `TypeRegistry` that lists the messages of a file, not yet ``unique(_:)``:
  /// `shop/v1/cart.proto` -> `shopV1CartProto`.
  static func registry(of protoPath: String, prefix: String) -> String {
    let path = protoPath.hasSuffix(".proto") ? String(protoPath.dropLast(6)) : protoPath
    let words = path.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return lowerCamel("\(prefix)_\(String(words))_Proto")
  }

  /// Whether a name is an ASCII identifier of Swift.
  static func isIdentifier(_ name: String) -> Bool {
    let isWord = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" }
    return isWord && name.first?.isNumber == false
  }

  // MARK: Types

  /// The names of the messages and enums of one scope. Each begins with a capital, and has a suffix if Swift
  /// or another type uses the name.
  ///
  /// - Parameter taken: the names that must not be shadowed.
  static func types(
    _ types: [(name: String, suffix: String)], prefix: String = "", taken: Set<String> = []
  ) -> [String] {
    let wanted = types.map { prefix + capitalized($0.name) }
    var taken = taken.union(takenTypeNames)
    let free = wanted.map { taken.insert($0).inserted ? $0 : nil }
    return free.enumerated().map { index, name in
      if let name { return name }
      var longer = wanted[index]
      repeat { longer += types[index].suffix } while !taken.insert(longer).inserted
      return longer
    }
  }

  private static func capitalized(_ name: String) -> String {
    name.allSatisfy { $0 == "_" } ? "Underscore" : name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The runtime's well-known types, which no type of another package may shadow.
  static let wellKnownTypes: Set<String> = [
    "AnyMessage", "BoolValue", "BytesValue", "DoubleValue", "Empty", "FieldMask", "FloatValue",
    "Int32Value", "Int64Value", "ListValue", "NullValue", "StringValue", "Struct", "Timestamp",
    "UInt32Value", "UInt64Value", "Value", "WireDuration",
  ]

  /// Names with another meaning inside a generated type.
  private static let takenTypeNames: Set<String> = [
    "Any", "Array", "Bool", "CaseIterable", "Dictionary", "Double", "Error", "Float", "Hashable",
    "Hasher", "Int", "Int32", "Int64", "Never", "Optional", "Protocol", "Self", "Sendable", "Set",
    "String", "Swift", "Type", "UInt8", "UInt32", "UInt64", "Void",
    "BidirectionalCall", "Boxed", "CallError", "CallOptions", "CallResponse", "Channel",
    "DecodingError", "FieldDecoder", "FieldDescriptor", "FieldTable", "FieldVisitor",
    "FixedLayoutMessage", "JSONDecodingError", "JSONEncodingError", "JSONReader", "JSONWriter",
    "LeafMessage", "Message", "MethodDescriptor", "ProtoEnum", "RequestWriter", "ResponseStream",
    "RetryPolicy", "RoutingRule", "SizeCounter", "TypeRegistry", "UnknownFields", "WireReader",
    "WireWriter", "_FixedLayoutReader", "_FixedLayoutWriter",
    // The parameters of generic functions.
    "D", "V",
  ]

  // MARK: Members

  /// The properties of fields, not yet ``escaped(_:)``. Members of oneofs are cases of enums too.
  static func properties(
    _ fields: [(name: String, number: Int, isOneofMember: Bool)]
  ) -> [String] {
    unique(
      fields.map { name, number, isOneofMember in
        let camel = lowerCamel(name)
        let isTaken =
          takenMembers.contains(camel) || isOneofMember && casesOfOptional.contains(camel)
        return (isTaken ? camel + "Field" : camel, number)
      })
  }

  /// The property of a oneof, not yet ``escaped(_:)``.
  ///
  /// - Parameter taken: the names of the other properties; this one is added.
  static func property(ofOneof name: String, taken: inout Set<String>) -> String {
    var property = lowerCamel(name)
    while takenMembers.contains(property) || !taken.insert(property).inserted {
      property += "OneOf"
    }
    return property
  }

  /// The properties of methods, escaped.
  static func methods(_ names: [String]) -> [String] {
    unique(
      names.enumerated().map { index, name in
        let camel = lowerCamel(name)
        return (takenMembers.contains(camel) ? camel + "Method" : camel, index + 1)
      }
    ).map(escaped)
  }

  /// Members and initializers that every message has, and names that are special even in backticks.
  private static let takenMembers: Set<String> = [
    "_fillsFixedLayout", "_fixedLayoutSize", "hashValue", "init", "jsonString", "jsonUTF8Bytes",
    "self", "serializedBytes", "unknownFields",
  ]

  /// Names that mean a case of Optional: `trip.status = .none` would clear the field.
  static let casesOfOptional: Set<String> = ["none", "some"]

  /// A name in a declaration or after a dot: in backticks if it is a keyword.
  static func escaped(_ name: String) -> String {
    keywords.contains(name) ? "`\(name)`" : name
  }

  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Appends their numbers to names that occur more than once, until all names are unique.
  static func unique(_ names: [(name: String, number: Int)]) -> [String] {
    let counts = Dictionary(names.map { ($0.name, 1) }, uniquingKeysWith: +)
    var taken = Set(counts.keys)
    return names.map { name, number in
      if counts[name] == 1 { return name }
      var numbered = name
      repeat {
        numbered += (number < 0 ? "Minus" : "") + "\(number.magnitude)"
      } while !taken.insert(numbered).inserted
      return numbered
    }
  }
}
