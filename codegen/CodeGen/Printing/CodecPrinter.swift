import WireProtobuf

extension Printer {
  /// Prints the members that the runtime calls: the table of fields, reading and writing.
  mutating func printMessageCodec(_ model: MessageModel) {
    let conformance =
      model.hasFixedLayout ? "FixedLayoutMessage" : model.isLeaf ? "LeafMessage" : "Message"
    printInitializer(model)
    block("nonisolated extension \(model.qualifiedName): \(conformance) {") { p in
      p.braced("\(p.access)static var messageName: String", "\"\(model.fullName)\"")
      p.line()
      p.printFieldTable(model)
      p.line()
      p.printDecode(model)
      p.line()
      p.printVisit(model)
      p.line()
      p.printWriting(model)
      p.line()
      p.printEquality(model)
      if model.hasFixedLayout {
        p.line()
        p.printFixedLayout(model)
      }
    }
    for nested in model.enums {
      line()
      printEnumCodec(nested)
    }
    for nested in model.messages {
      line()
      printMessageCodec(nested)
    }
  }

  private mutating func printFieldTable(_ model: MessageModel) {
    let opening = "\(access)static let fields = FieldTable("
    guard let last = model.sortedFields.last else { return line(opening + ")") }
    block(opening, nil) { p in
      for field in model.sortedFields {
        var arguments = [
          Printer.literal(field.number), "\"\(field.protoName)\"",
          "json: " + Printer.quoted(field.jsonName),
        ]
        switch field.shape {
        case .repeated: arguments.append(".repeated")
        case .map: arguments.append(".map")
        default: break
        }
        if let name = field.messageName { arguments.append("message: \(name).self") }
        if case .oneof(let index) = field.shape {
          arguments.append("oneof: \"\(model.oneofs[index].protoName)\"")
        }
        p.call("FieldDescriptor(", arguments, field.number == last.number ? "))" : "),")
      }
    }
  }

  // MARK: Reading

  private mutating func printDecode(_ model: MessageModel) {
    let next = model.isLeaf ? "nextLeafField()" : "nextField(&unknownFields)"
    block(
      "\(access)mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) {"
    ) { p in
      guard !model.fields.isEmpty else {
        return p.block("while try decoder.\(next) != nil {") { $0.line("decoder.skipField()") }
      }
      p.block("while let number = try decoder.\(next) {") { p in
        p.line("switch number {")
        for field in model.sortedFields { p.printDecode(field, in: model) }
        p.line("default: decoder.skipField()")
        p.line("}")
      }
    }
  }

  private mutating func printDecode(_ field: FieldModel, in model: MessageModel) {
    let number = Printer.literal(field.number)
    let target = "&" + field.reference
    let kind = field.type.kind
    let (method, arguments) =
      switch field.shape {
      case .scalar: ("scalar", [target, kind])
      case .optional: ("optional", [target, kind])
      case .wrapped: ("wrapped", [target, kind])
      case .message: ("message", [target])
      case .repeated where field.type.isMessage: ("messages", [target])
      case .repeated: ("repeated", [target, kind])
      case .map(let key): ("map", [target, "." + key.rawValue, kind])
      case .oneof: ("", [])
      }
    if case .oneof(let index) = field.shape {
      printDecode(field, of: model.oneofs[index], in: model)
    } else {
      switchCase(number, call: "try decoder.\(method)(", arguments)
    }
  }

  private mutating func printDecode(
    _ field: FieldModel, of oneof: OneofModel, in model: MessageModel
  ) {
    let leaves = model.sortedFields.filter { other in
      guard case .oneof(let index) = other.shape, other.number != field.number else { return false }
      return model.oneofs[index].name == oneof.name && other.type.isLeafMessage
    }
    let numbers = leaves.map { Printer.literal($0.number) }.joined(separator: ", ")
    let choice =
      "try decoder.choose(&self.\(oneof.name), .\(field.name)(value)"
      + (leaves.isEmpty ? ")" : ", insteadOf: \(numbers))")
    let isMessage = field.type.isMessage
    block("case \(Printer.literal(field.number)):", "  }") { p in
      if isMessage {
        // A message is merged into the present one, which is moved out to avoid a copy.
        p.line("var value: \(field.type.swiftName)?")
        p.line("if case .\(field.name)(let current)? = self.\(oneof.name) {")
        p.line("  value = current")
        p.line("  self.\(oneof.name) = nil")
        p.line("}")
        p.line("try decoder.message(&value)")
        p.line("if let value {")
      } else {
        p.line("var value: \(field.type.swiftName) = \(field.type.initial)")
        p.line("if try decoder.scalar(&value, \(field.type.kind)) {")
      }
      p.line("  " + choice)
    }
  }

  // MARK: Writing

  private mutating func printVisit(_ model: MessageModel) {
    block("\(access)func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {") { p in
      for field in model.sortedFields { p.printVisit(field, in: model) }
      if !model.isLeaf { p.line("try visitor.unknown(unknownFields)") }
    }
  }

  private mutating func printVisit(_ field: FieldModel, in model: MessageModel) {
    let name = field.reference
    let kind = field.type.kind
    let place = "\(Printer.literal(field.number)), \(Printer.quoted(field.jsonName))"
    let message = [place] + (field.type.isLeafMessage ? ["unknownFields"] : [])
    switch field.shape {
    case .scalar: call("try visitor.scalar(", [name, kind, place])
    case .optional: call("try visitor.optional(", [name, kind, place])
    case .wrapped: call("try visitor.wrapped(", [name, kind, place, "unknownFields"])
    case .message: call("try visitor.message(", [name] + message)
    case .repeated where field.type.isMessage: call("try visitor.messages(", [name] + message)
    case .repeated(packed: true): call("try visitor.packed(", [name, kind, place])
    case .repeated(packed: false): call("try visitor.repeated(", [name, kind, place])
    case .map(let key):
      call("try visitor.map(", [name, "." + key.rawValue, kind, place, "unknownFields"])
    case .oneof(let index):
      block("if case .\(field.name)(let value)? = self.\(model.oneofs[index].name) {") { p in
        if field.type.isMessage {
          p.call("try visitor.message(", ["value"] + message)
        } else {
          p.call("try visitor.optional(", ["value", kind, place])
        }
      }
    }
  }

  /// Prints the requirements of the protocol that write, one call each. Default implementations would copy
  /// messages in messages.
  private mutating func printWriting(_ model: MessageModel) {
    block("\(access)func measure(with counter: inout SizeCounter) {") {
      $0.line("visit(&counter)")
    }
    line()
    block("\(access)func write(to writer: inout WireWriter) throws(WireWriter.Full) {") {
      $0.line("try visit(&writer)")
    }
    // The runtime implements the JSON of well-known types that is not an object of their fields.
    guard TypeRegistry.customJSONType(named: model.fullName) == nil,
      model.fullName != AnyMessage.messageName
    else { return }
    line()
    block("\(access)func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {") { p in
      p.line("writer.beginObject()")
      p.line("try visit(&writer)")
      p.line("writer.endObject()")
    }
  }
}

extension FieldModel {
  /// The message on the wire: a wrapper, too.
  var messageName: String? {
    switch (shape, type) {
    case (.wrapped, .scalar(let type)):
      (type == .bytes ? "Bytes" : type.swiftName) + "Value"
    case (_, .message(let name, _)): name
    default: nil
    }
  }

  /// The property, with `self` if a local variable has the same name, or if an accessor could begin.
  var reference: String { Self.needSelf.contains(name) ? "self." + name : name }

  private static let needSelf: Set<String> = [
    "bytes", "decoder", "number", "value", "visitor",
    "didSet", "get", "modify", "mutating", "nonmutating", "read", "set", "willSet",
  ]
}
