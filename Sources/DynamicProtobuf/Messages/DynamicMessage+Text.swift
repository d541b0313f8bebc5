extension DynamicMessage {
  /// Returns the text of a string field; "" if it is unset or not a string.
  ///
  /// - Parameter path: the field names that lead to it, such as "trip.name".
  package func text(at path: String) -> String {
    var message = self
    let names = path.split(separator: ".").map(String.init)
    for (index, name) in names.enumerated() {
      guard let field = message.descriptor[name] else { return "" }
      switch message.value(of: field) {
      case .string(let text) where index == names.count - 1: return text
      case .message(let inner): message = inner
      default: return ""
      }
    }
    return ""
  }
}
