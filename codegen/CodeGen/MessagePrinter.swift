extension Printer {
  /// The struct: what users of the message read.
  mutating func printMessage(_ model: MessageModel) {
    docs(model.docs)
    block("\(access)struct \(model.name): Hashable, Sendable {") { p in
      var printed: Set<Int> = []
      for field in model.fields {
        if case .oneof(let index) = field.shape {
          guard printed.insert(index).inserted else { continue }
          p.docs(model.oneofs[index].docs)
          p.line("\(p.access)var \(model.oneofs[index].name): \(model.oneofs[index].typeName)?")
        } else {
          p.docs(field.docs)
          p.line(p.declaration(of: field))
        }
      }
      if !model.isPlain {
        if !model.fields.isEmpty { p.line() }
        p.line("/// Fields on the wire that have no place above.")
        p.line("\(p.access)var unknownFields = UnknownFields()")
      }
      p.line()
      p.line("\(p.access)init() {}")
      for (index, oneof) in model.oneofs.enumerated() {
        p.line()
        p.printOneof(oneof, model.fields.filter { $0.isMember(of: index) })
      }
      for nested in model.enums {
        p.line()
        p.printEnum(nested)
      }
      for nested in model.messages {
        p.line()
        p.printMessage(nested)
      }
    }
  }

  private func declaration(of field: FieldModel) -> String {
    let type = field.type.swiftName
    let start = "\(access)var \(field.name): "
    return switch field.shape {
    case .scalar: start + "\(type) = \(field.type.initial)"
    case .optional, .wrapped: start + "\(type)?"
    case .message: (field.isRecursive ? "@Boxed " : "") + start + "\(type)?"
    case .repeated: start + "[\(type)] = []"
    case .map(let key): start + "[\(key.swiftName): \(type)] = [:]"
    case .oneof: ""
    }
  }

  private mutating func printOneof(_ model: OneofModel, _ members: [FieldModel]) {
    docs(["One of the fields, or none."])
    let keyword = model.isRecursive ? "indirect enum" : "enum"
    block("\(access)\(keyword) \(model.typeName): Hashable, Sendable {") { p in
      for member in members {
        p.docs(member.docs)
        p.line("case \(member.name)(\(member.type.swiftName))")
      }
    }
  }
}

extension FieldModel {
  func isMember(of oneof: Int) -> Bool {
    if case .oneof(oneof) = shape { true } else { false }
  }
}
