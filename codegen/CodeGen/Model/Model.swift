// The content of the Swift file for a .proto file, with all names.

struct FileModel {
  let protoPath: String
  let importedFolders: Set<String>
  /// The member of `TypeRegistry` that lists the messages.
  let registry: String
  let docs: [String]
  let enums: [EnumModel]
  let messages: [MessageModel]
  let services: [ServiceModel]

  /// The Swift names of all messages, each before the messages inside it.
  var messageNames: [String] { messages.flatMap(\.names) }
}

struct EnumModel {
  struct Value {
    let name: String
    let protoName: String
    let number: Int32
    let docs: [String]
  }

  let name: String
  /// With the names of the messages around it, "Vehicle.VehicleType".
  let qualifiedName: String
  let fullName: String
  let docs: [String]
  /// The first value of each number.
  let values: [Value]
  /// More names of the same numbers.
  let aliases: [Value]
}

struct MessageModel {
  let name: String
  let qualifiedName: String
  let fullName: String
  let docs: [String]
  /// In the order of the .proto file.
  let fields: [FieldModel]
  let oneofs: [OneofModel]
  let enums: [EnumModel]
  let messages: [MessageModel]
  /// Whether all fields are numbers, booleans and enums.
  let isLeaf: Bool
  /// Whether all fields are fixed-size numbers with tags of one byte.
  let hasFixedLayout: Bool

  var sortedFields: [FieldModel] { fields.sorted { $0.number < $1.number } }

  /// The Swift names of the message and of those inside it.
  var names: [String] { [qualifiedName] + messages.flatMap(\.names) }
}

struct OneofModel {
  let name: String
  let protoName: String
  let typeName: String
  let presence: Presence
  let docs: [String]
  let isRecursive: Bool
}

struct FieldModel {
  enum Shape {
    /// A scalar without presence, perhaps with a default.
    case scalar
    /// A scalar with presence.
    case optional
    /// A scalar in a wrapper message.
    case wrapped
    case message
    case repeated(packed: Bool)
    case map(key: ScalarType)
    /// A member of the oneof at an index of ``MessageModel/oneofs``.
    case oneof(Int)
  }

  let number: Int
  let name: String
  let protoName: String
  /// The text between the quotes.
  let jsonName: String
  let docs: [String]
  let shape: Shape
  let type: FieldType
  /// Whether the message contains itself through this field, which then is boxed.
  let isRecursive: Bool
  /// Nil for a field without presence.
  let presence: Presence?
}

/// The names of the members that test and clear a field.
struct Presence {
  let has: String
  let clear: String

  /// - Parameter taken: the names of the message's properties.
  init(of name: String, taken: Set<String>) {
    var own = name.filter { $0 != "`" }
    var capital: String { own.prefix(1).uppercased() + own.dropFirst() }
    while taken.contains("has" + capital) || taken.contains("clear" + capital) {
      repeat { own += "Field" } while taken.contains(own)
    }
    has = "has" + capital
    clear = "clear" + capital
  }
}

enum FieldType {
  case scalar(ScalarType)
  case `enum`(String, zero: String)
  case message(String, isLeaf: Bool)

  var swiftName: String {
    switch self {
    case .scalar(let type): type.swiftName
    case .enum(let name, _): name
    case .message(let name, _): name
    }
  }

  /// The kind of the runtime.
  var kind: String {
    switch self {
    case .scalar(let type): "." + type.rawValue
    case .enum(let name, _): ".enum(\(name).self)"
    case .message(let name, _): ".message(\(name).self)"
    }
  }

  /// The value of a field that is not set.
  var initial: String {
    switch self {
    case .scalar(let type): type.initial
    case .enum(_, let zero): "." + zero
    case .message(let name, _): name + "()"
    }
  }

  var isLeafMessage: Bool {
    if case .message(_, isLeaf: true) = self { true } else { false }
  }

  var isMessage: Bool {
    if case .message = self { true } else { false }
  }
}

enum ScalarType: String {
  case double, float, int64, uint64, int32, uint32, fixed64, fixed32, sfixed64, sfixed32
  case sint64, sint32, bool, string, bytes

  var swiftName: String {
    switch self {
    case .double: "Double"
    case .float: "Float"
    case .int64, .sfixed64, .sint64: "Int64"
    case .uint64, .fixed64: "UInt64"
    case .int32, .sfixed32, .sint32: "Int32"
    case .uint32, .fixed32: "UInt32"
    case .bool: "Bool"
    case .string: "String"
    case .bytes: "[UInt8]"
    }
  }

  var initial: String {
    switch self {
    case .bool: "false"
    case .string: "\"\""
    case .bytes: "[]"
    default: "0"
    }
  }

  /// The size of each value, if all have the same.
  var fixedSize: Int? {
    switch self {
    case .double, .fixed64, .sfixed64: 8
    case .float, .fixed32, .sfixed32: 4
    default: nil
    }
  }

  var isNumber: Bool { self != .string && self != .bytes }
}

struct ServiceModel {
  /// The kind of the method, as in the runtime's `MethodKind`.
  enum Kind: String {
    case unary, serverStreaming, clientStreaming, bidirectional
  }

  struct Method {
    let name: String
    let kind: Kind
    let protoName: String
    let docs: [String]
    let request: String
    let response: String
    let routing: Routing?
    let config: MethodConfig
  }

  struct Routing {
    let field: String
    let template: String
    /// The expression that reads the field of a request `$0`.
    let expression: String
  }

  /// The name of the type with the methods' descriptors.
  let name: String
  /// The name of the type that calls the methods.
  let clientName: String
  /// That of the methods of the client.
  let protocolName: String
  let fullName: String
  let docs: [String]
  let methods: [Method]

  var protoName: String { fullName.split(separator: ".").last.map(String.init) ?? "" }
}
