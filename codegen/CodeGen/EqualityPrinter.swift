extension Printer {
  /// `==`, field by field. The compiler's own would copy sub-messages to compare them.
  mutating func printEquality(_ model: MessageModel) {
    block("\(access)static func == (a: Self, b: Self) -> Bool {") { p in
      var oneofs: Set<Int> = []
      for field in model.sortedFields {
        let name = field.name
        switch field.shape {
        case .message where !field.type.isPlainMessage && !field.isRecursive:
          p.line("guard areEqual(a.\(name), b.\(name)) else { return false }")
        case .repeated where field.type.isMessage:
          p.line("guard areEqual(a.\(name), b.\(name)) else { return false }")
        case .oneof(let index):
          guard oneofs.insert(index).inserted else { continue }
          let name = model.oneofs[index].name
          p.line("guard a.\(name) == b.\(name) else { return false }")
        default:
          p.line("guard a.\(name) == b.\(name) else { return false }")
        }
      }
      p.line(model.isPlain ? "return true" : "return a.unknownFields == b.unknownFields")
    }
  }
}
