package import ProtobufDescriptors

extension FileDescriptorProto {
  /// Whether a server sent the name alone, for an import that it does not have. Go's library then sets a
  /// syntax such as "<unknown:0>", or none.
  package var isPlaceholder: Bool {
    var named = FileDescriptorProto(name: name)
    if !Features.syntaxes.contains(syntax ?? "") { named.syntax = syntax }
    return self == named
  }

  /// The full names of the messages, enums and services.
  package var declaredNames: [String] {
    let scope = scope
    var names = enumType.map { scope + ($0.name ?? "") } + service.map { scope + ($0.name ?? "") }
    for message in messageType { message.addDeclaredNames(to: &names, in: scope) }
    return names
  }

  /// The full names of the types that fields and methods refer to, with duplicates. Names without a
  /// leading dot, which compilers do not write, are omitted.
  package var usedTypeNames: [String] {
    var names = self.extension.flatMap(\.usedTypeNames)
    for message in messageType { message.addUsedTypeNames(to: &names) }
    for method in service.flatMap(\.method) {
      names += [method.inputType, method.outputType].compactMap(\.self)
    }
    return names.filter { $0.hasPrefix(".") }.map { String($0.dropFirst()) }
  }

  /// The package and a dot, or "".
  private var scope: String { (package ?? "").isEmpty ? "" : (package ?? "") + "." }
}

// Recursion is as deep as descriptors nest, which decoding limits.
extension DescriptorProto {
  fileprivate func addDeclaredNames(to names: inout [String], in scope: String) {
    let fullName = scope + (name ?? "")
    // The pool rejects longer names. They could take much memory here.
    guard fullName.utf8.count <= PoolBuilder.longestName else { return }
    names.append(fullName)
    names += enumType.map { "\(fullName).\($0.name ?? "")" }
    for message in nestedType { message.addDeclaredNames(to: &names, in: fullName + ".") }
  }

  fileprivate func addUsedTypeNames(to names: inout [String]) {
    names += (field + self.extension).flatMap(\.usedTypeNames)
    for message in nestedType { message.addUsedTypeNames(to: &names) }
  }
}

extension FieldDescriptorProto {
  fileprivate var usedTypeNames: [String] { [typeName, extendee].compactMap(\.self) }
}
