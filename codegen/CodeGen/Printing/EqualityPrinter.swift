extension Printer {
  /// Prints `==`, field by field. The compiler's own would copy sub-messages to compare them.
  mutating func printEquality(_ model: MessageModel) {
    block("\(access)static func == (a: Self, b: Self) -> Bool {") { p in
      var oneofs: Set<Int> = []
      for field in model.sortedFields {
        let name = field.name
        switch field.shape {
        case .message where !field.type.isLeafMessage && !field.isRecursive:
          p.printUnequal(name)
        case .repeated where field.type.isMessage:
          p.printUnequal(name)
        case .oneof(let index):
          guard oneofs.insert(index).inserted else { continue }
          let name = model.oneofs[index].name
          p.braced("if a.\(name) != b.\(name)", "return false")
        default:
          p.braced("if a.\(name) != b.\(name)", "return false")
        }
      }
      p.line(model.isLeaf ? "return true" : "return a.unknownFields == b.unknownFields")
    }
  }

  private mutating func printUnequal(_ name: String) {
    if name.count < 40 {
      braced("if !areEqual(a.\(name), b.\(name))", "return false")
    } else {
      line("if !areEqual(")
      line("  a.\(name), b.\(name))")
      block("{") { $0.line("return false") }
    }
  }
}
