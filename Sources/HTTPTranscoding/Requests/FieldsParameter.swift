/// Expands the parameter `fields`: `trips(name,vehicleId),nextPageToken` or `trips/name` names paths of fields,
/// whose parts are joined by dots.
struct FieldsParameter {
  private(set) var paths: [String] = []

  /// Returns nil if the parentheses do not match.
  init?(_ text: String) {
    // The paths that enclose the current position.
    var enclosing: [String] = []
    var path = ""
    var isClosed = false
    for character in text {
      switch character {
      case "(":
        enclosing.append(path + ".")
        path += "."
        continue
      case ",", ")":
        if !isClosed { paths.append(path) }
        guard character == "," || !enclosing.isEmpty else { return nil }
        isClosed = character == ")"
        if isClosed { enclosing.removeLast() }
        path = enclosing.last ?? ""
      case "/": path += "."
      case " ": break
      default: path.append(character)
      }
    }
    guard enclosing.isEmpty else { return nil }
    if !isClosed { paths.append(path) }
    // A star is all fields of a message.
    paths = paths.map { $0.hasSuffix(".*") ? String($0.dropLast(2)) : $0 }
    if paths.contains("*") { paths = [] }
  }
}
