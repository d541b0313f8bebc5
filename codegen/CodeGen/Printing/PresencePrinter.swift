extension Printer {
  /// Prints the members for presence: `hasName`, `clearName()`, and each member of a oneof as an optional.
  mutating func printPresence(_ model: MessageModel) {
    var oneofs: Set<Int> = []
    var isFirst = true
    for field in model.fields {
      guard let presence = field.presence else { continue }
      if case .oneof(let index) = field.shape {
        let oneof = model.oneofs[index]
        line()
        if oneofs.insert(index).inserted {
          printPresence(of: oneof.name, oneof.presence)
          line()
        }
        printMember(field, presence, of: oneof)
      } else if isFirst {
        line()
      }
      isFirst = false
      printPresence(of: field.name, presence)
    }
  }

  private mutating func printPresence(of name: String, _ presence: Presence) {
    // With `self`, because a getter must not begin with `get` or another accessor keyword.
    braced("\(access)var \(presence.has): Bool", "self.\(name) != nil")
    braced("\(access)mutating func \(presence.clear)()", "\(name) = nil")
  }

  private mutating func printMember(
    _ field: FieldModel, _ presence: Presence, of oneof: OneofModel
  ) {
    let place = "self.\(oneof.name)"
    docs(field.docs)
    block("\(access)var \(field.name): \(field.type.swiftName)? {") { p in
      p.braced(
        "get", "if case .\(field.name)(let value)? = \(place) { value } else { nil }")
      let condition = "if newValue != nil || \(presence.has)"
      let assignment = "\(place) = newValue.map { .\(field.name)($0) }"
      if p.fits("set { \(condition) { \(assignment) } }") {
        p.line("set { \(condition) { \(assignment) } }")
      } else {
        p.block("set {") { $0.braced(condition, assignment) }
      }
    }
  }
}
