extension Printer {
  /// Prints the struct, which users of the message read.
  mutating func printMessage(_ model: MessageModel) {
    docs(model.docs)
    block("\(typeAccess)struct \(model.name): Hashable, Sendable {") { p in
      var printed: Set<Int> = []
      for field in model.fields {
        if case .oneof(let index) = field.shape {
          guard printed.insert(index).inserted else { continue }
          p.docs(model.oneofs[index].docs)
          p.line("\(p.access)var \(model.oneofs[index].name): \(model.oneofs[index].typeName)?")
        } else {
          p.docs(field.docs)
          p.printProperty(of: field)
        }
      }
      if !model.isLeaf {
        if !model.fields.isEmpty { p.line() }
        p.line("/// Fields that this version of the message does not declare.")
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

  private mutating func printProperty(of field: FieldModel) {
    let type = field.type.swiftName
    let start = "\(access)var \(field.name): "
    switch field.shape {
    case .message where field.isRecursive: printBoxed(field)
    case .scalar: line(start + "\(type) = \(field.type.initial)")
    case .optional, .wrapped, .message: line(start + "\(type)?")
    case .repeated: line(start + "[\(type)] = []")
    case .map(let key): line(start + "[\(key.swiftName): \(type)] = [:]")
    case .oneof: break
    }
  }

  /// A message that contains its own type. `Boxed` is not a property wrapper, because a wrapper would be
  /// isolated to the main actor if that is the target's default.
  private mutating func printBoxed(_ field: FieldModel) {
    let type = field.type.swiftName
    let box = "_" + field.name.filter { $0 != "`" }
    block("\(access)var \(field.name): \(type)? {") { p in
      p.line("get { \(box).value }")
      p.line("_modify { yield &\(box).value }")
    }
    line("private var \(box) = Boxed<\(type)>()")
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
