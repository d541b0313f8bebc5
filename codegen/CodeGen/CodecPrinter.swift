extension Printer {
  /// What the runtime calls: the table of fields, reading and writing.
  mutating func printMessageCodec(_ model: MessageModel) {
    let conformance =
      model.isRecord ? "RecordMessage" : model.isPlain ? "PlainMessage" : "Message"
    block("extension \(model.qualifiedName): \(conformance) {") { p in
      p.line("\(p.access)static var messageName: String { \"\(model.fullName)\" }")
      p.line()
      p.printFieldTable(model)
      p.line()
      p.printDecode(model)
      p.line()
      p.printVisit(model)
      p.line()
      p.printRequirements(model)
      p.line()
      p.printEquality(model)
      if model.isRecord {
        p.line()
        p.printRecord(model)
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
    let items = model.sortedFields.map { field in
      var item = "FieldDescriptor(\(field.number), \"\(field.protoName)\", "
      item += "json: \"\(field.jsonName)\""
      switch field.shape {
      case .repeated: item += ", .repeated"
      case .map: item += ", .map"
      default: break
      }
      if case .message(let name, _) = field.type { item += ", message: \(name).self" }
      return item + ")"
    }
    guard let last = items.last else { return line(opening + ")") }
    line(opening)
    for item in items.dropLast() { line("  " + item + ",") }
    line("  " + last + ")")
  }

  // MARK: Reading

  private mutating func printDecode(_ model: MessageModel) {
    let next = model.isPlain ? "nextPlainField()" : "nextField(&unknownFields)"
    block(
      "private mutating func decode<D: FieldDecoder>(from decoder: inout D) throws(D.Failure) {"
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
    let start = "case \(field.number): try decoder."
    let target = "&" + field.reference
    let kind = field.type.kind
    switch field.shape {
    case .scalar: line(start + "scalar(\(target), \(kind))")
    case .optional: line(start + "optional(\(target), \(kind))")
    case .wrapped: line(start + "wrapped(\(target), \(kind))")
    case .message: line(start + "message(\(target))")
    case .repeated where field.type.isMessage: line(start + "messages(\(target))")
    case .repeated: line(start + "repeated(\(target), \(kind))")
    case .map(let key): line(start + "map(\(target), .\(key.rawValue), \(kind))")
    case .oneof(let index):
      printDecode(field, of: model.oneofs[index])
    }
  }

  private mutating func printDecode(_ field: FieldModel, of oneof: OneofModel) {
    let choice = "choose(&self.\(oneof.name), .\(field.name)(value))"
    let isMessage = field.type.isMessage
    block("case \(field.number):", "  }") { p in
      if isMessage {
        // A message is merged into the one that is there.
        p.line("var value: \(field.type.swiftName)?")
        p.line(
          "if case .\(field.name)(let current)? = self.\(oneof.name) { value = current }")
        p.line("if try decoder.message(&value), let value {")
      } else {
        p.line("var value: \(field.type.swiftName) = \(field.type.initial)")
        p.line("if try decoder.scalar(&value, \(field.type.kind)) {")
      }
      p.line("  try decoder.\(choice)")
    }
  }

  // MARK: Writing

  private mutating func printVisit(_ model: MessageModel) {
    block("private func visit<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {") { p in
      for field in model.sortedFields { p.printVisit(field, in: model) }
      if !model.isPlain { p.line("visitor.unknown(unknownFields)") }
    }
  }

  private mutating func printVisit(_ field: FieldModel, in model: MessageModel) {
    let name = field.reference
    let kind = field.type.kind
    let place = "\(field.number), \"\(field.jsonName)\""
    let plain = field.type.isPlainMessage ? ", unknownFields" : ""
    switch field.shape {
    case .scalar: line("try visitor.scalar(\(name), \(kind), \(place))")
    case .optional: line("try visitor.optional(\(name), \(kind), \(place))")
    case .wrapped: line("try visitor.wrapped(\(name), \(kind), \(place), unknownFields)")
    case .message: line("try visitor.message(\(name), \(place)\(plain))")
    case .repeated where field.type.isMessage:
      line("try visitor.messages(\(name), \(place)\(plain))")
    case .repeated(let packed):
      line("try visitor.\(packed ? "packed" : "repeated")(\(name), \(kind), \(place))")
    case .map(let key):
      line("try visitor.map(\(name), .\(key.rawValue), \(kind), \(place), unknownFields)")
    case .oneof(let index):
      block("if case .\(field.name)(let value)? = self.\(model.oneofs[index].name) {") { p in
        p.line(
          field.type.isMessage
            ? "try visitor.message(value, \(place)\(plain))"
            : "try visitor.optional(value, \(kind), \(place))")
      }
    }
  }

  /// The protocol's requirements, one call each: here the two functions above are specialised
  /// for the formats.
  private mutating func printRequirements(_ model: MessageModel) {
    block(
      "\(access)mutating func read(from reader: inout WireReader) throws(DecodingError.Reason) {"
    ) { $0.line("try decode(from: &reader)") }
    line()
    block("\(access)func measure(with counter: inout SizeCounter) {") {
      $0.line("visit(&counter)")
    }
    line()
    block("\(access)func write(to writer: inout WireWriter) {") { $0.line("visit(&writer)") }
    guard !WellKnownTypes.haveOwnJSON.contains(model.fullName) else { return }
    line()
    block("\(access)func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {") { p in
      p.line("writer.beginObject()")
      p.line("try visit(&writer)")
      p.line("writer.endObject()")
    }
  }
}

extension FieldModel {
  /// The property, with `self` where a local variable has the same name.
  var reference: String {
    ["bytes", "decoder", "number", "value", "visitor"].contains(name) ? "self." + name : name
  }
}

enum WellKnownTypes {
  /// Messages whose JSON is not an object of their fields: the runtime has it by hand.
  static let haveOwnJSON: Set<String> = Set(
    [
      "Any", "Duration", "FieldMask", "ListValue", "Struct", "Timestamp", "Value",
      "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value",
      "BoolValue", "StringValue", "BytesValue",
    ].map { "google.protobuf." + $0 })
}
