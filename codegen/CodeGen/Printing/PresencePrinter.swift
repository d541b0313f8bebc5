extension Printer {
  /// Prints each member of a oneof as an optional, and on request the members for presence: `hasName`,
  /// `clearName()`.
  mutating func printPresence(_ model: MessageModel) {
    var oneofs: Set<Int> = []
    var isFirst = true
    for field in model.fields {
      guard let presence = field.presence else { continue }
      if case .oneof(let index) = field.shape {
        let oneof = model.oneofs[index]
        if printsPresence, oneofs.insert(index).inserted {
          line()
          printPresence(of: oneof.name, oneof.presence)
        }
        line()
        printMember(field, of: oneof)
      } else if printsPresence, isFirst {
        line()
      }
      isFirst = false
      if printsPresence { printPresence(of: field.name, presence) }
    }
  }

  private mutating func printPresence(of name: String, _ presence: Presence) {
    // With `self`, because a getter must not begin with `get` or another accessor keyword.
    braced("\(access)var \(presence.has): Bool", "self.\(name) != nil")
    braced("\(access)mutating func \(presence.clear)()", "\(name) = nil")
  }

  private mutating func printMember(_ field: FieldModel, of oneof: OneofModel) {
    let place = "self.\(oneof.name)"
    docs(field.docs)
    block("\(access)var \(field.name): \(field.type.swiftName)? {") { p in
      p.braced(
        "get", "if case .\(field.name)(let value)? = \(place) { value } else { nil }")
      let condition = "if newValue != nil || self.\(field.name) != nil"
      let assignment = "\(place) = newValue.map { .\(field.name)($0) }"
      if p.fits("set { \(condition) { \(assignment) } }") {
        p.line("set { \(condition) { \(assignment) } }")
      } else {
        p.block("set {") { $0.braced(condition, assignment) }
      }
    }
  }
}
