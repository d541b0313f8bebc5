import ProtobufDescriptors
import WireProtobuf

extension PoolBuilder {
  struct Parts {
    var files: [FileDescriptorProto]
    var messages: [MessageDescriptor] = []
    var enums: [EnumDescriptor] = []
    var services: [ServiceDescriptor] = []
    var extensions: [ExtensionDescriptor] = []
  }

  /// Returns everything that was declared, with its references resolved.
  mutating func resolved() throws(DescriptorError) -> Parts {
    var parts = Parts(files: files)
    var extensionsByType: [Int: [FieldDescriptor]] = [:]
    var usedNumbers: [Int: Set<Int>] = [:]
    for declared in extensions {
      let file = files[declared.file]
      let index = try message(
        declared.proto.extendee, of: declared.proto.name, from: declared.fullName, file)
      let field = try field(
        declared.proto, in: declared, [], extendee: messages[index].proto)
      parts.extensions.append(
        ExtensionDescriptor(
          fullName: String(field.name.dropFirst().dropLast()), field: field,
          scope: declared.fullName, file: declared.file))
      // If two files use the same extension number, which is an error, the first is used.
      if usedNumbers[index, default: []].insert(field.number).inserted {
        extensionsByType[index, default: []].append(field)
      }
    }
    for (index, declared) in messages.enumerated() {
      parts.messages.append(
        MessageDescriptor(
          fullName: declared.fullName, proto: declared.proto, file: declared.file,
          fields: try fields(of: declared), extensions: extensionsByType[index] ?? []))
    }
    for declared in enums {
      parts.enums.append(
        EnumDescriptor(
          fullName: declared.fullName, proto: declared.proto, file: declared.file,
          isOpen: declared.features.isOpen))
    }
    for declared in services {
      parts.services.append(try service(declared, parts.messages))
    }
    return parts
  }

  private mutating func fields(
    of declared: Declared<DescriptorProto>
  ) throws(DescriptorError) -> [FieldDescriptor] {
    let proto = declared.proto
    guard !proto.isMessageSet || proto.field.isEmpty else {
      throw DescriptorError(
        files[declared.file], "\(declared.fullName) is a message set and must not have fields")
    }
    var fields: [FieldDescriptor] = []
    var numbers: Set<Int> = []
    for field in proto.field {
      let descriptor = try self.field(
        field,
        in: Declared(
          proto: field, fullName: declared.fullName, file: declared.file,
          features: declared.features), proto.oneofDecl,
        isInMapEntry: proto.options?.mapEntry == true)
      guard numbers.insert(descriptor.number).inserted else {
        throw DescriptorError(
          files[declared.file],
          "\(declared.fullName) has two fields with the number \(descriptor.number)")
      }
      fields.append(descriptor)
    }
    return fields
  }

  private mutating func field(
    _ proto: FieldDescriptorProto, in declared: Declared<FieldDescriptorProto>,
    _ oneofs: [OneofDescriptorProto], isInMapEntry: Bool = false, extendee: DescriptorProto? = nil
  ) throws(DescriptorError) -> FieldDescriptor {
    let file = files[declared.file]
    let fullName = try fullName(proto.name, in: declared.fullName, file)
    let number = Int(proto.number ?? 0)
    let isExtension = extendee != nil
    let greatest = extendee?.greatestFieldNumber ?? DescriptorProto.greatestTagNumber
    guard (1...greatest).contains(number) else {
      throw DescriptorError(file, "\(fullName) has the invalid number \(number)")
    }
    var features = declared.features
    var oneof: Int?
    if let index = proto.oneofIndex.map(Int.init), proto.proto3Optional != true {
      guard oneofs.indices.contains(index) else {
        throw DescriptorError(file, "\(fullName) is in a oneof that does not exist")
      }
      features = features.inside(oneofs[index].options)
      oneof = index
    }
    features = features.inside(proto.options)
    let type = try type(of: proto, fullName, from: declared.fullName, file)
    let isMap = isMap(type) && proto.label == .repeated
    var encoding = MessageEncoding.lengthPrefixed
    if extendee?.isMessageSet == true {
      guard case .message = type, proto.type != .group, proto.label ?? .optional == .optional else {
        throw DescriptorError(
          file, "\(fullName) extends a message set and must be an optional message")
      }
      encoding = .messageSetItem
    } else if proto.type == .group
      || proto.type == .message && features.isDelimited && !isMap && !isInMapEntry
    {
      encoding = .group
    }
    return FieldDescriptor(
      proto, number: number, name: isExtension ? "[\(fullName)]" : proto.name ?? "",
      jsonName: isExtension ? "[\(fullName)]" : jsonName(of: proto), type: type,
      cardinality: isMap ? .map : proto.label == .repeated ? .repeated : .singular,
      features: features, oneof: oneof, isExtension: isExtension, encoding: encoding)
  }

  private func isMap(_ type: FieldType) -> Bool {
    guard case .message(let index) = type else { return false }
    let entry = messages[index].proto
    // A message marked as a map entry without a key and a value is an ordinary message.
    return entry.options?.mapEntry == true && entry.field.count == 2
      && entry.field.contains { $0.number == 1 && Self.isKey($0.type) }
      && entry.field.contains { $0.number == 2 }
  }

  private static func isKey(_ type: FieldDescriptorProto.TypeEnum?) -> Bool {
    guard let type, let kind = scalarKind(type) else { return false }
    return kind is any MapKeyKind.Type
  }

  private func jsonName(of field: FieldDescriptorProto) -> String {
    field.jsonName ?? FieldDescriptor.defaultJSONName(of: field.name ?? "")
  }

  private mutating func type(
    of field: FieldDescriptorProto, _ fullName: String, from scope: String,
    _ file: FileDescriptorProto
  ) throws(DescriptorError) -> FieldType {
    if let type = field.type, let kind = Self.scalarKind(type) { return .scalar(kind) }
    if case .unrecognized(let number)? = field.type {
      throw DescriptorError(
        file, "\(fullName) has the unknown type \(number), so its values cannot be read or written")
    }
    let name = field.typeName ?? ""
    guard let found = try find(name, from: scope, file) else {
      throw missing(name, of: fullName, file)
    }
    switch (found, field.type) {
    case (.message, .message), (.message, .group), (.enum, .enum), (_, nil): return found
    default:
      let (declared, other) =
        field.type == .enum ? ("an enum", "a message") : ("a message", "an enum")
      throw DescriptorError(file, "\(fullName) is declared as \(declared), but \(name) is \(other)")
    }
  }

  /// Resolves a name by the rules of the language. A name with a leading dot is fully qualified.
  /// Other names are looked up in the scope, then in the enclosing scopes.
  private mutating func find(
    _ name: String, from scope: String, _ file: FileDescriptorProto
  ) throws(DescriptorError) -> FieldType? {
    guard name.utf8.count <= Self.longestName, name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    if name.hasPrefix(".") { return types[String(name.dropFirst())] }
    var scope = scope[...]
    while !scope.isEmpty {
      scopeLookupBudget -= 1
      guard scopeLookupBudget >= 0 else {
        throw DescriptorError(
          file, "too many type names have no leading dot: compile the files with protoc")
      }
      if let type = types["\(scope).\(name)"] { return type }
      scope = scope.lastIndex(of: ".").map { scope[..<$0] } ?? ""
    }
    return types[name]
  }

  /// Returns the index of a message in ``messages``.
  ///
  /// - Parameter member: refers to the message; in the scope.
  private mutating func message(
    _ name: String?, of member: String?, from scope: String, _ file: FileDescriptorProto
  ) throws(DescriptorError) -> Int {
    let name = name ?? ""
    guard case .message(let index)? = try find(name, from: scope, file) else {
      throw missing(name, of: try fullName(member, in: scope, file), file)
    }
    return index
  }

  /// - Parameter owner: the full name of the field or method with this type.
  private func missing(
    _ name: String, of owner: String, _ file: FileDescriptorProto
  ) -> DescriptorError {
    guard !name.isEmpty else {
      return DescriptorError(file, "\(owner) refers to a type without a name")
    }
    let missingImports = file.dependency.filter { !fileNames.contains($0) }
    var text = "\(name.forDisplay) is not defined"
    if !missingImports.isEmpty {
      text +=
        "; missing imports: " + missingImports.prefix(8).map(\.forDisplay).joined(separator: ", ")
    }
    if missingImports.count > 8 { text += " and \(missingImports.count - 8) more" }
    return DescriptorError(file, text)
  }

  private mutating func service(
    _ declared: Declared<ServiceDescriptorProto>, _ messages: [MessageDescriptor]
  ) throws(DescriptorError) -> ServiceDescriptor {
    let file = files[declared.file]
    var methods: [ServiceDescriptor.Method] = []
    for method in declared.proto.method {
      let name = method.name ?? ""
      try check(name, in: file)
      let input = try message(method.inputType, of: name, from: declared.fullName, file)
      let output = try message(method.outputType, of: name, from: declared.fullName, file)
      methods.append(
        ServiceDescriptor.Method(
          proto: method, name: name, path: "/\(declared.fullName)/\(name)",
          input: messages[input], output: messages[output]))
    }
    return ServiceDescriptor(
      fullName: declared.fullName, proto: declared.proto, file: declared.file, methods: methods)
  }
}
