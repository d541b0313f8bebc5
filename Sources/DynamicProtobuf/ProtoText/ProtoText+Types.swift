import ProtobufDescriptors
import WireProtobuf

// Services, messages and enums.

extension ProtoText {
  /// The types of a scope by full name, with a leading dot.
  struct Nested {
    let types: [String: DescriptorProto]

    init(_ message: DescriptorProto, _ fullName: String) {
      self.init(message.nestedType, in: fullName)
    }

    /// - Parameter scope: a message or a package, which may be empty.
    init(_ types: [DescriptorProto], in scope: String) {
      let prefix = scope.isEmpty ? "." : ".\(scope)."
      self.types = Dictionary(
        types.map { (prefix + ($0.name ?? ""), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  mutating func print(_ service: ServiceDescriptor, at path: [Int32]) {
    comment(at: path)
    block("service \(service.proto.name ?? "")") { printer in
      printer.options(service.proto.options, "google.protobuf.ServiceOptions")
      for (index, method) in service.methods.enumerated() {
        printer.print(method, at: path + [2, Int32(index)])
      }
    }
  }

  mutating func print(_ method: MethodDescriptor, at path: [Int32]) {
    comment(at: path)
    func type(_ message: MessageDescriptor, _ isStream: Bool) -> String {
      (isStream ? "stream " : "") + message.fullName
    }
    let head =
      "rpc \(method.name)(\(type(method.input, method.streamsRequests)))"
      + " returns (\(type(method.output, method.streamsResponses)))"
    let options = optionTexts(method.proto.options, "google.protobuf.MethodOptions")
    guard !options.isEmpty else { return line(head + ";") }
    block(head) { printer in
      for option in options { printer.line("option \(option);") }
    }
  }

  mutating func print(_ message: DescriptorProto, _ fullName: String, at path: [Int32]) {
    comment(at: path)
    block("message \(message.name ?? "")") { printer in
      printer.printBody(of: message, fullName, at: path)
    }
  }

  private mutating func printBody(
    of message: DescriptorProto, _ fullName: String, at path: [Int32]
  ) {
    options(message.options, "google.protobuf.MessageOptions")
    let nested = Nested(message, fullName)
    let members = Dictionary(
      grouping: message.field.indices.filter { message.field[$0].proto3Optional != true },
      by: { message.field[$0].oneofIndex })
    for (index, field) in message.field.enumerated() {
      guard let oneof = field.oneofIndex, field.proto3Optional != true else {
        print(field, nested, at: path + [2, Int32(index)])
        continue
      }
      // All members are printed in place of the first one.
      guard let group = members[oneof], group.first == index,
        message.oneofDecl.indices.contains(Int(oneof))
      else { continue }
      comment(at: path + [8, oneof])
      block("oneof \(message.oneofDecl[Int(oneof)].name ?? "")") { printer in
        for index in group {
          printer.print(message.field[index], nested, at: path + [2, Int32(index)])
        }
      }
    }
    printRanges(of: message)
    let groups = Set(message.field.filter { $0.type == .group }.compactMap(\.typeName))
    for (index, nested) in message.nestedType.enumerated()
    where nested.options?.mapEntry != true && !groups.contains(".\(fullName).\(nested.name ?? "")")
    {
      print(nested, "\(fullName).\(nested.name ?? "")", at: path + [3, Int32(index)])
    }
    for (index, `enum`) in message.enumType.enumerated() {
      print(`enum`, at: path + [4, Int32(index)])
    }
    for (index, field) in message.extension.enumerated() {
      print(extension: field, nested, at: path + [6, Int32(index)])
    }
  }

  /// - Parameter path: of the scope.
  mutating func print(_ extension: ExtensionDescriptor, at path: [Int32]) {
    let (file, scope) = (pool.files[`extension`.file], `extension`.scope)
    let message = pool.message(scope)?.proto
    let fields = message?.extension ?? file.extension
    let index = fields.firstIndex { $0.name == `extension`.field.proto.name } ?? 0
    print(
      extension: `extension`.field.proto,
      Nested(message?.nestedType ?? file.messageType, in: scope),
      at: path + [message == nil ? 7 : 6, Int32(index)])
  }

  private mutating func print(
    extension field: FieldDescriptorProto, _ nested: Nested, at path: [Int32]
  ) {
    block("extend \(typeName(field.extendee))") { printer in
      printer.print(field, nested, at: path)
    }
  }

  private mutating func printRanges(of message: DescriptorProto) {
    func text(_ start: Int32?, _ end: Int32?) -> String {
      // The end is exclusive.
      let (first, last) = (start ?? 0, (end ?? 0) &- 1)
      return first == last
        ? "\(first)"
        : "\(first) to \(last >= message.greatestFieldNumber ? "max" : String(last))"
    }
    for range in message.extensionRange { line("extensions \(text(range.start, range.end));") }
    if !message.reservedRange.isEmpty {
      let ranges = message.reservedRange.map { text($0.start, $0.end) }
      line("reserved \(ranges.joined(separator: ", "));")
    }
    if !message.reservedName.isEmpty {
      let names = message.reservedName.map { quotedForProto($0) }
      line("reserved \(names.joined(separator: ", "));")
    }
  }

  mutating func print(_ field: FieldDescriptorProto, _ nested: Nested, at path: [Int32]) {
    comment(at: path)
    let inside = nested.types[field.typeName ?? ""]
    var isMap = false
    var type = typeName(of: field)
    if let entry = inside, entry.options?.mapEntry == true,
      let key = entry.field.first(where: { $0.number == 1 }),
      let value = entry.field.first(where: { $0.number == 2 })
    {
      type = "map<\(typeName(of: key)), \(typeName(of: value))>"
      isMap = true
    }
    let isGroup = field.type == .group
    let name = isGroup ? inside?.name ?? field.name ?? "" : field.name ?? ""
    let options = bracketed(fieldOptions(field))
    let head = label(of: field, isMap: isMap) + "\(type) \(name) = \(field.number ?? 0)\(options)"
    if isGroup, let inside {
      block(head) { printer in
        printer.printBody(of: inside, String(field.typeName?.dropFirst() ?? ""), at: [])
      }
    } else {
      line(head + ";")
    }
  }

  private func label(of field: FieldDescriptorProto, isMap: Bool) -> String {
    switch field.label {
    case .repeated: isMap ? "" : "repeated "
    case .required: "required "
    default:
      field.proto3Optional == true || printsOptional && field.oneofIndex == nil ? "optional " : ""
    }
  }

  mutating func print(_ type: EnumDescriptorProto, at path: [Int32]) {
    comment(at: path)
    block("enum \(type.name ?? "")") { printer in
      printer.options(type.options, "google.protobuf.EnumOptions")
      for (index, value) in type.value.enumerated() {
        printer.print(value, at: path + [2, Int32(index)])
      }
    }
  }

  mutating func print(_ value: EnumValueDescriptorProto, at path: [Int32]) {
    comment(at: path)
    let options = bracketed(optionTexts(value.options, "google.protobuf.EnumValueOptions"))
    line("\(value.name ?? "") = \(value.number ?? 0)\(options);")
  }

  // MARK: Types

  private func typeName(_ name: String?) -> String {
    let name = name ?? ""
    return name.hasPrefix(".") ? String(name.dropFirst()) : name
  }

  private func typeName(of field: FieldDescriptorProto) -> String {
    switch field.type {
    case .double: "double"
    case .float: "float"
    case .int64: "int64"
    case .uint64: "uint64"
    case .int32: "int32"
    case .fixed64: "fixed64"
    case .fixed32: "fixed32"
    case .bool: "bool"
    case .string: "string"
    case .bytes: "bytes"
    case .uint32: "uint32"
    case .sfixed32: "sfixed32"
    case .sfixed64: "sfixed64"
    case .sint32: "sint32"
    case .sint64: "sint64"
    case .group: "group"
    default: typeName(field.typeName)
    }
  }
}
