import ProtobufDescriptors

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
  /// The Swift names of all top-level types that a file knows, by the file's name.
  private(set) var visibleNames: [String: Set<String>] = [:]

  /// The prefix of the names of a file's top-level types, by the file's name.
  private(set) var prefixes: [String: String] = [:]

  /// Adds files in protoc's order, in which imports come first.
  ///
  /// - Parameter prefix: the option `prefix`, for the generated files.
  init(_ files: [FileDescriptorProto], toGenerate: [String], prefix pluginPrefix: String?) {
    for file in files {
      let package = file.package ?? ""
      let prefix = SwiftNames.prefix(
        package: package, swiftPrefix: file.options?.swiftPrefix,
        plugin: toGenerate.contains(file.name ?? "") ? pluginPrefix : nil)
      prefixes[file.name ?? ""] = prefix
      let scope = package.isEmpty ? "" : "." + package
      let isGoogle = package == "google.protobuf" || package.hasPrefix("google.protobuf.")
      let names = Self.names(
        file.messageType, file.enumType, scope: scope, prefix: prefix,
        taken: isGoogle ? [] : SwiftNames.wellKnownTypes)
      let visible = file.dependency.reduce(into: Set(names)) {
        $0.formUnion(visibleNames[$1] ?? [])
      }
      visibleNames[file.name ?? ""] = visible
      add(
        file.messageType, file.enumType, names, in: scope, isProto3: file.syntax == "proto3",
        visible: visible)
    }
  }

  /// The Swift names of one scope: of the messages, then of the enums.
  private static func names(
    _ messages: [DescriptorProto], _ enums: [EnumDescriptorProto], scope: String,
    prefix: String = "", taken: Set<String>
  ) -> [String] {
    let messages = messages.map { message in
      let name = message.name ?? ""
      // Swift has another Duration.
      let isDuration = scope == ".google.protobuf" && name == "Duration"
      return (name: isDuration ? "WireDuration" : name, suffix: "Message")
    }
    return SwiftNames.types(
      messages + enums.map { ($0.name ?? "", "Enum") }, prefix: prefix, taken: taken)
  }

  private mutating func add(
    _ messages: [DescriptorProto], _ enums: [EnumDescriptorProto], _ names: [String],
    in scope: String, isProto3: Bool, visible: Set<String>
  ) {
    for (message, swiftName) in zip(messages, names) {
      let fullName = scope + "." + (message.name ?? "")
      self.messages[fullName] = Message(
        descriptor: message, swiftName: swiftName, isProto3: isProto3)
      // A nested type with the name of a top-level one would shadow it.
      let nested = Self.names(
        message.nestedType, message.enumType, scope: fullName, taken: visible)
      add(
        message.nestedType, message.enumType, nested.map { "\(swiftName).\($0)" },
        in: fullName, isProto3: isProto3, visible: visible)
    }
    for (`enum`, swiftName) in zip(enums, names.dropFirst(messages.count)) {
      let values = `enum`.value.map { (name: $0.name ?? "", number: Int($0.number ?? 0)) }
      let cases = EnumCaseNames.names(of: values, in: `enum`.name ?? "")
      self.enums[scope + "." + (`enum`.name ?? "")] = Enum(
        descriptor: `enum`, swiftName: swiftName, zeroCase: cases.first ?? "unrecognized(0)")
    }
  }
}

// MARK: Kinds of messages

extension TypeIndex {
  private static let wrappers: [String: ScalarType] = [
    "DoubleValue": .double, "FloatValue": .float, "Int64Value": .int64, "UInt64Value": .uint64,
    "Int32Value": .int32, "UInt32Value": .uint32, "BoolValue": .bool, "StringValue": .string,
    "BytesValue": .bytes,
  ]

  /// The type inside a message of google/protobuf/wrappers.proto.
  func wrappedType(of fullName: String) -> ScalarType? {
    let package = ".google.protobuf."
    guard fullName.hasPrefix(package) else { return nil }
    return Self.wrappers[String(fullName.dropFirst(package.count))]
  }

  /// Whether a message has only numbers, booleans and enums.
  func isLeaf(_ message: DescriptorProto) -> Bool {
    guard !message.field.isEmpty, message.extensionRange.isEmpty else { return false }
    return message.field.allSatisfy { field in
      guard field.label != .repeated, field.oneofIndex == nil || field.proto3Optional == true
      else { return false }
      return field.type == .enum || field.scalarType?.isNumber == true
    }
  }

  /// Whether a leaf message has only fixed-size numbers, with tags of one byte.
  func hasFixedLayout(_ message: Message) -> Bool {
    message.isProto3 && isLeaf(message.descriptor)
      && message.descriptor.field.allSatisfy { field in
        field.scalarType?.fixedSize != nil && field.number ?? 0 < 16 && field.oneofIndex == nil
      }
  }

  /// Whether a message contains another in its own memory, directly or indirectly.
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
    // TYPE_INT32 in the descriptor is `int32` in the language.
    type?.name.flatMap { ScalarType(rawValue: $0.dropFirst("TYPE_".count).lowercased()) }
  }
}
