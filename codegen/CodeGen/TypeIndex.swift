/// The messages and enums of all files of a request, by their full names (".package.Type").
struct TypeIndex {
  struct Message {
    let descriptor: DescriptorProto
    let swiftName: String
    let isProto3: Bool
  }

  struct Enum {
    let descriptor: EnumDescriptorProto
    let swiftName: String
    let zeroCase: String
  }

  private(set) var messages: [String: Message] = [:]
  private(set) var enums: [String: Enum] = [:]

  init(_ files: [FileDescriptorProto]) {
    for file in files {
      let package = file.package ?? ""
      let prefix = SwiftNames.prefix(package: package, option: file.options?.swiftPrefix)
      let scope = package.isEmpty ? "" : "." + package
      for message in file.messageType {
        add(message, in: scope, swift: prefix, isProto3: file.syntax == "proto3")
      }
      for `enum` in file.enumType { add(`enum`, in: scope, swift: prefix) }
    }
  }

  private mutating func add(
    _ message: DescriptorProto, in scope: String, swift prefix: String, isProto3: Bool
  ) {
    let fullName = scope + "." + (message.name ?? "")
    let swiftName =
      prefix + SwiftNames.type(message.name ?? "", fullName: fullName, isEnum: false)
    messages[fullName] = Message(
      descriptor: message, swiftName: swiftName, isProto3: isProto3)
    for nested in message.nestedType {
      add(nested, in: fullName, swift: swiftName + ".", isProto3: isProto3)
    }
    for `enum` in message.enumType { add(`enum`, in: fullName, swift: swiftName + ".") }
  }

  private mutating func add(_ enum: EnumDescriptorProto, in scope: String, swift prefix: String) {
    let fullName = scope + "." + (`enum`.name ?? "")
    let swiftName = prefix + SwiftNames.type(`enum`.name ?? "", fullName: fullName, isEnum: true)
    let values = `enum`.value.map { (name: $0.name ?? "", number: Int($0.number ?? 0)) }
    let names = EnumCaseNames.names(of: values, in: `enum`.name ?? "")
    enums[fullName] = Enum(
      descriptor: `enum`, swiftName: swiftName, zeroCase: names.first ?? "unrecognized(0)")
  }
}

// MARK: Kinds of messages

extension TypeIndex {
  private static let wrappers: [String: ScalarType] = [
    "DoubleValue": .double, "FloatValue": .float, "Int64Value": .int64, "UInt64Value": .uint64,
    "Int32Value": .int32, "UInt32Value": .uint32, "BoolValue": .bool, "StringValue": .string,
    "BytesValue": .bytes,
  ]

  /// What a message of google/protobuf/wrappers.proto wraps.
  func wrappedType(of fullName: String) -> ScalarType? {
    let package = ".google.protobuf."
    guard fullName.hasPrefix(package) else { return nil }
    return Self.wrappers[String(fullName.dropFirst(package.count))]
  }

  /// Whether a message holds nothing but numbers, booleans and enums.
  func isPlain(_ message: DescriptorProto) -> Bool {
    guard !message.field.isEmpty, message.extensionRange.isEmpty else { return false }
    return message.field.allSatisfy { field in
      guard field.label != .repeated, field.oneofIndex == nil || field.proto3Optional == true
      else { return false }
      return field.type == .enum || field.scalarType?.isNumber == true
    }
  }

  /// Whether a plain message holds only fixed-size numbers, in tags of one byte.
  func isRecord(_ message: Message) -> Bool {
    message.isProto3 && isPlain(message.descriptor)
      && message.descriptor.field.allSatisfy { field in
        field.scalarType?.fixedSize != nil && field.number ?? 0 < 16 && field.oneofIndex == nil
      }
  }

  /// Whether a message holds another in its own memory, over any number of steps.
  func message(_ outer: String, contains inner: String) -> Bool {
    var seen: Set<String> = []
    var next = [outer]
    while let name = next.popLast() {
      for field in messages[name]?.descriptor.field ?? []
      where field.type == .message && field.label != .repeated {
        let type = field.typeName ?? ""
        if type == inner { return true }
        if seen.insert(type).inserted { next.append(type) }
      }
    }
    return false
  }
}

extension FieldDescriptorProto {
  /// The type, unless it is an enum, a message or a group.
  var scalarType: ScalarType? {
    switch type {
    case .double: .double
    case .float: .float
    case .int64: .int64
    case .uint64: .uint64
    case .int32: .int32
    case .fixed64: .fixed64
    case .fixed32: .fixed32
    case .bool: .bool
    case .string: .string
    case .bytes: .bytes
    case .uint32: .uint32
    case .sfixed32: .sfixed32
    case .sfixed64: .sfixed64
    case .sint32: .sint32
    case .sint64: .sint64
    default: nil
    }
  }
}
