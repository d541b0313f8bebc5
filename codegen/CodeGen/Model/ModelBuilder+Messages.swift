import ProtobufDescriptors
import WireProtobuf

extension ModelBuilder {
  func message(
    _ descriptor: DescriptorProto, in scope: String, at path: [Int32]
  ) throws(GenerationError) -> MessageModel {
    let fullName = scope + "." + (descriptor.name ?? "")
    guard let type = types.messages[fullName] else {
      throw GenerationError("\(file.name ?? ""): \(fullName) is not in the CodeGeneratorRequest")
    }

    var nested: [MessageModel] = []
    for (index, message) in descriptor.nestedType.enumerated()
    where message.options?.mapEntry != true {
      nested.append(try self.message(message, in: fullName, at: path + [3, Int32(index)]))
    }
    let enums = descriptor.enumType.enumerated().map { index, `enum` in
      self.enum(`enum`, in: fullName, at: path + [4, Int32(index)])
    }

    let names = propertyNames(of: descriptor)
    let oneofs = self.oneofs(
      descriptor, of: fullName, at: path, properties: Set(names),
      types: Set(nested.map(\.name) + enums.map(\.name)))
    var fields: [FieldModel] = []
    for (index, field) in descriptor.field.enumerated() {
      fields.append(
        try self.field(
          field, named: SwiftNames.escaped(names[index]),
          taken: Set(names + oneofs.map(\.name)), of: fullName, type,
          at: path + [2, Int32(index)]))
    }

    return MessageModel(
      name: lastComponent(type.swiftName), qualifiedName: type.swiftName,
      fullName: String(fullName.dropFirst()),
      docs: docs(at: path, isDeprecated: descriptor.options?.deprecated), fields: fields,
      oneofs: oneofs, enums: enums, messages: nested, isLeaf: types.isLeaf(descriptor),
      hasFixedLayout: types.hasFixedLayout(type))
  }

  /// The properties of a message's fields, not yet escaped.
  func propertyNames(of message: DescriptorProto) -> [String] {
    SwiftNames.properties(
      message.field.map {
        let isOneofMember = $0.oneofIndex != nil && $0.proto3Optional != true
        return ($0.name ?? "", Int($0.number ?? 0), isOneofMember)
      })
  }

  /// The oneofs of the .proto file. protoc adds those of `optional` fields after them.
  private func oneofs(
    _ descriptor: DescriptorProto, of fullName: String, at path: [Int32],
    properties: Set<String>, types nested: Set<String>
  ) -> [OneofModel] {
    let added = Set(descriptor.field.filter { $0.proto3Optional == true }.map(\.oneofIndex))
    let oneofs = descriptor.oneofDecl.enumerated().filter { !added.contains(Int32($0.offset)) }
    let typeNames = SwiftNames.types(
      oneofs.map { (SwiftNames.lowerCamel($0.element.name ?? ""), "OneOf") },
      taken: nested.union(types.visibleNames[file.name ?? ""] ?? []))
    var taken = properties
    let names = oneofs.map {
      SwiftNames.property(ofOneof: $0.element.name ?? "", taken: &taken)
    }
    return zip(oneofs, zip(names, typeNames)).map { oneof, names in
      let index = Int32(oneof.offset)
      let members = descriptor.field.filter { $0.oneofIndex == index }
      return OneofModel(
        name: SwiftNames.escaped(names.0), protoName: oneof.element.name ?? "",
        typeName: names.1,
        presence: Presence(of: names.0, taken: taken),
        docs: docs(at: path + [8, index], isDeprecated: nil),
        isRecursive: members.contains { isRecursive($0, in: fullName) })
    }
  }

  private func isRecursive(_ field: FieldDescriptorProto, in fullName: String) -> Bool {
    guard field.type == .message, field.label != .repeated, let type = field.typeName else {
      return false
    }
    return type == fullName || types.message(type, contains: fullName)
  }

  // MARK: Fields

  private func field(
    _ field: FieldDescriptorProto, named name: String, taken: Set<String>, of fullName: String,
    _ owner: TypeIndex.Message, at path: [Int32]
  ) throws(GenerationError) -> FieldModel {
    var type = try fieldType(field)
    let shape: FieldModel.Shape
    if field.label == .repeated {
      if let entry = types.messages[field.typeName ?? ""]?.descriptor,
        entry.options?.mapEntry == true, let key = entry.field.first?.scalarType,
        let value = entry.field.last
      {
        shape = .map(key: key)
        type = try fieldType(value)
      } else {
        shape = .repeated(packed: isPacked(field, type, isProto3: owner.isProto3))
      }
    } else if let index = field.oneofIndex, field.proto3Optional != true {
      shape = .oneof(Int(index))
    } else if let wrapped = types.wrappedType(of: field.typeName ?? "") {
      shape = .wrapped
      type = .scalar(wrapped)
    } else if type.isMessage {
      shape = .message
    } else {
      shape = owner.isProto3 && field.proto3Optional != true ? .scalar : .optional
    }
    let hasPresence =
      switch shape {
      case .optional, .wrapped, .message, .oneof: true
      case .scalar, .repeated, .map: false
      }
    return FieldModel(
      number: Int(field.number ?? 0), name: name, protoName: field.name ?? "",
      jsonName: try jsonName(field),
      docs: docs(at: path, isDeprecated: field.options?.deprecated), shape: shape, type: type,
      isRecursive: isRecursive(field, in: fullName),
      presence: hasPresence ? Presence(of: name, taken: taken) : nil)
  }

  private func jsonName(_ field: FieldDescriptorProto) throws(GenerationError) -> String {
    let name = field.jsonName ?? field.name ?? ""
    do {
      let quoted = try StringValue(value: name).jsonUTF8Bytes()
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    } catch {
      throw GenerationError("\(file.name ?? ""): field \(field.name ?? ""): json_name: \(error)")
    }
  }

  private func fieldType(_ field: FieldDescriptorProto) throws(GenerationError) -> FieldType {
    if let scalar = field.scalarType { return .scalar(scalar) }
    if field.type == .group {
      throw GenerationError(
        "\(file.name ?? ""): field \(field.name ?? "") is a group, which is not supported")
    }
    let name = field.typeName ?? ""
    if let message = types.messages[name], field.type == .message {
      return .message(message.swiftName, isLeaf: types.isLeaf(message.descriptor))
    }
    if let `enum` = types.enums[name] {
      return .enum(`enum`.swiftName, zero: `enum`.zeroCase)
    }
    throw GenerationError(
      "\(file.name ?? ""): field \(field.name ?? "") is of type \(name), which is not supported")
  }

  private func isPacked(
    _ field: FieldDescriptorProto, _ type: FieldType, isProto3: Bool
  ) -> Bool {
    switch type {
    case .scalar(let scalar): scalar.isNumber && field.options?.packed ?? isProto3
    case .enum: field.options?.packed ?? isProto3
    case .message: false
    }
  }
}
