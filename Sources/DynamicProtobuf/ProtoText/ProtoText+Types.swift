import ProtobufDescriptors

// Services, messages and their members.

extension ProtoText {
  mutating func print(_ service: ServiceDescriptorProto, at path: [Int32]) {
    block("service \(service.name ?? "")", at: path) { printer in
      printer.options(service.options, "google.protobuf.ServiceOptions")
      for (index, method) in service.method.enumerated() {
        printer.print(method, at: path + [2, Int32(index)])
      }
    }
  }

  mutating func print(_ method: MethodDescriptorProto, at path: [Int32]) {
    func type(_ name: String?, _ isStream: Bool?) -> String {
      (isStream == true ? "stream " : "") + typeName(name)
    }
    let head =
      "rpc \(method.name ?? "")(\(type(method.inputType, method.clientStreaming)))"
      + " returns (\(type(method.outputType, method.serverStreaming)))"
    let options = optionTexts(method.options, "google.protobuf.MethodOptions")
    guard method.options != nil else { return statement(head + ";", at: path) }
    block(head, at: path) { printer in
      for option in options { printer.line("option \(option);") }
    }
  }

  mutating func print(_ message: DescriptorProto, at path: [Int32]) {
    let head = "\(message.unknownFields.visibility(11))message \(message.name ?? "")"
    block(head, at: path) { printer in printer.printBody(of: message, at: path) }
  }

  private mutating func printBody(of message: DescriptorProto, at path: [Int32]) {
    let outer = scope
    scope = scope.isEmpty ? message.name ?? "" : "\(scope).\(message.name ?? "")"
    options(message.options, "google.protobuf.MessageOptions")
    let types = NestedTypes(message.nestedType, in: scope, at: path + [3])
    let order = DeclarationOrder(fields: message.field, message.extension, types)
    for declaration in order.declarations {
      if case .field(let index) = declaration {
        printMember(index, of: message, types, at: path)
      } else {
        print(
          declaration, fields: message.field, messages: message.nestedType, message.extension,
          types, at: path)
      }
    }
    for (index, type) in message.enumType.enumerated() {
      print(type, at: path + [4, Int32(index)])
    }
    printRanges(of: message)
    scope = outer
  }

  /// - Parameter path: of the scope; empty for a file.
  mutating func print(
    _ declaration: DeclarationOrder.Declaration, fields: [FieldDescriptorProto],
    messages: [DescriptorProto], _ extensions: [FieldDescriptorProto], _ types: NestedTypes,
    at path: [Int32]
  ) {
    switch declaration {
    case .message(let index): print(messages[index], at: types.path(index))
    case .field(let index): print(fields[index], types, at: path + [2, Int32(index)])
    case .extension(let index):
      print(
        extension: extensions[index], types, at: path + [path.isEmpty ? 7 : 6, Int32(index)])
    }
  }

  /// Prints a field, or all members of its oneof in place of the first one.
  private mutating func printMember(
    _ index: Int, of message: DescriptorProto, _ types: NestedTypes, at path: [Int32]
  ) {
    guard let oneof = message.oneof(ofField: index) else {
      return print(message.field[index], types, at: path + [2, Int32(index)])
    }
    if message.members(ofOneof: oneof).first == index {
      printOneof(oneof, of: message, types, at: path)
    }
  }

  /// - Parameter path: of the message.
  mutating func printOneof(
    _ oneof: Int, of message: DescriptorProto, _ types: NestedTypes, at path: [Int32]
  ) {
    let proto = message.oneofDecl[oneof]
    block("oneof \(proto.name ?? "")", at: path + [8, Int32(oneof)]) { printer in
      printer.options(proto.options, "google.protobuf.OneofOptions")
      for index in message.members(ofOneof: oneof) {
        printer.print(message.field[index], types, at: path + [2, Int32(index)])
      }
    }
  }

  /// - Parameter path: of the scope.
  mutating func print(_ extension: ExtensionDescriptor, at path: [Int32]) {
    let message = pool.message(`extension`.scope)?.proto
    let fields = message?.extension ?? file.extension
    let index = fields.firstIndex { $0.name == `extension`.field.proto.name } ?? 0
    scope = `extension`.scope
    print(
      extension: `extension`.field.proto,
      NestedTypes(
        message?.nestedType ?? file.messageType, in: scope,
        at: message == nil ? [4] : path + [3]),
      at: path + [message == nil ? 7 : 6, Int32(index)])
  }

  private mutating func print(
    extension field: FieldDescriptorProto, _ types: NestedTypes, at path: [Int32]
  ) {
    line("extend \(typeName(field.extendee)) {")
    depth += 1
    print(field, types, at: path)
    depth -= 1
    line("}")
  }

  mutating func print(_ field: FieldDescriptorProto, _ types: NestedTypes, at path: [Int32]) {
    let declared = types.declared(by: field)
    let options = bracketed(fieldOptions(field))
    let number = field.number ?? 0
    if let declared, field.type == .group {
      let group = types.messages[declared]
      let head = "\(label(of: field))group \(group.name ?? "") = \(number)\(options)"
      return block(head, at: path) { printer in
        printer.printBody(of: group, at: types.path(declared))
      }
    }
    let type =
      declared.flatMap { mapType(types.messages[$0]) } ?? label(of: field) + typeName(of: field)
    statement("\(type) \(field.name ?? "") = \(number)\(options);", at: path)
  }

  /// Returns "map<string, int32>"; nil for a message that is not a map entry.
  private func mapType(_ entry: DescriptorProto) -> String? {
    guard let key = entry.field.first(where: { $0.number == 1 }),
      let value = entry.field.first(where: { $0.number == 2 })
    else { return nil }
    return "map<\(typeName(of: key)), \(typeName(of: value))>"
  }

  /// Returns the label and a space, or "".
  private func label(of field: FieldDescriptorProto) -> String {
    switch field.label {
    case .repeated: return "repeated "
    case .required: return "required "
    default:
      let isMember = field.oneofIndex != nil && field.proto3Optional != true
      return field.proto3Optional == true || syntax.printsOptional && !isMember ? "optional " : ""
    }
  }

  private func typeName(of field: FieldDescriptorProto) -> String {
    switch field.type {
    case .message, .enum, nil: return typeName(field.typeName)
    case let type?:
      // TYPE_INT32 in the descriptor is `int32` in the language.
      return type.name.map { $0.dropFirst("TYPE_".count).lowercased() }
        ?? typeName(field.typeName)
    }
  }
}

extension DescriptorProto {
  /// Returns the index of a field's oneof; nil for the synthetic oneof of `optional`.
  fileprivate func oneof(ofField index: Int) -> Int? {
    guard let oneof = field[index].oneofIndex.map(Int.init), field[index].proto3Optional != true,
      oneofDecl.indices.contains(oneof)
    else { return nil }
    return oneof
  }

  /// Returns the indices of the fields in a oneof.
  fileprivate func members(ofOneof oneof: Int) -> [Int] {
    field.indices.filter { self.oneof(ofField: $0) == oneof }
  }
}
