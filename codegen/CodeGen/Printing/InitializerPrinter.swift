extension Printer {
  /// Prints the initializer that takes any of the fields, in the order of the .proto file.
  mutating func printInitializer(_ model: MessageModel) {
    var parameters: [(name: String, type: String)] = []
    var oneofs: Set<Int> = []
    for field in model.fields {
      let type = field.type.swiftName
      switch field.shape {
      case .scalar: parameters.append((field.name, "\(type) = \(field.type.initial)"))
      case .optional, .wrapped, .message: parameters.append((field.name, "\(type)? = nil"))
      case .repeated: parameters.append((field.name, "[\(type)] = []"))
      case .map(let key): parameters.append((field.name, "[\(key.swiftName): \(type)] = [:]"))
      case .oneof(let index):
        guard oneofs.insert(index).inserted else { continue }
        parameters.append(
          (
            model.oneofs[index].name,
            "\(model.qualifiedName).\(model.oneofs[index].typeName)? = nil"
          ))
      }
    }
    guard !parameters.isEmpty else { return }
    block("nonisolated extension \(model.qualifiedName) {") { p in
      p.docs(["A message with some fields set."])
      p.function("\(p.access)init(", parameters.map { "\($0.name): \($0.type)" }) { p in
        for (name, _) in parameters { p.line("self.\(name) = \(name)") }
      }
      p.printPresence(model)
    }
    line()
  }

  /// Prints a function: the parameters on one line if they fit 100 columns, else on the next, else one per
  /// line.
  private mutating func function(
    _ opening: String, _ parameters: [String], _ body: (inout Printer) -> Void
  ) {
    let joined = parameters.joined(separator: ", ")
    if fits(opening + joined + ") {") { return block(opening + joined + ") {", "}", body) }
    block(opening, nil) { p in
      if p.fits(joined) {
        p.line(joined)
      } else {
        for parameter in parameters.dropLast() { p.line(parameter + ",") }
        p.line(parameters.last ?? "")
      }
    }
    block(") {", "}", body)
  }
}
