package import ProtobufDescriptors

extension CodeGenerator {
  /// The parts of .proto files that the generated code lacks, one line for each file and kind.
  package static func warnings(for request: CodeGeneratorRequest) -> [String] {
    request.protoFile.filter { request.fileToGenerate.contains($0.name ?? "") }.flatMap { file in
      var dropped = Dropped()
      dropped.add(file.extension, in: file.package ?? "")
      for message in file.messageType { dropped.add(message, in: file.package ?? "") }
      return dropped.warnings.map { "\(file.name ?? ""): \($0)" }
    }
  }
}

/// The parts of a file without generated code, by full names.
private struct Dropped {
  private var defaults: [String] = []
  private var extensions: [String] = []

  mutating func add(_ message: DescriptorProto, in scope: String) {
    let name = join(scope, message.name)
    for field in message.field {
      // Nil for false, 0 or empty needs no warning.
      guard let value = field.defaultValue, !["false", "0", ""].contains(value) else { continue }
      defaults.append("\(join(name, field.name)) = \(value)")
    }
    add(message.extension, in: name)
    for nested in message.nestedType { add(nested, in: name) }
  }

  mutating func add(_ fields: [FieldDescriptorProto], in scope: String) {
    extensions += fields.map { join(scope, $0.name) }
  }

  var warnings: [String] {
    var warnings: [String] = []
    if !defaults.isEmpty {
      warnings.append(
        "warning: default values are ignored; unset fields are nil: "
          + defaults.joined(separator: ", "))
    }
    if !extensions.isEmpty {
      warnings.append(
        "warning: no code is generated for extensions, which are kept as unknown fields: "
          + extensions.joined(separator: ", "))
    }
    return warnings
  }

  private func join(_ scope: String, _ name: String?) -> String {
    scope.isEmpty ? name ?? "" : "\(scope).\(name ?? "")"
  }
}
