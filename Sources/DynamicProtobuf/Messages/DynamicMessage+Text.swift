extension DynamicMessage {
  /// Returns the text of a string field; "" if it is unset or not a string.
  ///
  /// - Parameter path: the field names that lead to it, such as "trip.name".
  package func text(at path: String) -> String {
    guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else {
      guard let field = descriptor[path], case .string(let text) = value(of: field) else {
        return ""
      }
      return text
    }
    guard let field = descriptor[String(path[..<dot])], case .message(let inner) = value(of: field)
    else { return "" }
    return inner.text(at: String(path[path.utf8.index(after: dot)...]))
  }
}
