/// In JSON one string: the paths in lowerCamelCase, separated by commas.
extension FieldMask: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    var text = ""
    for path in paths {
      guard let camel = Self.lowerCamel(path) else {
        throw JSONEncodingError(
          messageName: Self.messageName,
          reason: "the path \(path) would not read back the same from lowerCamelCase")
      }
      text += (text.isEmpty ? "" : ",") + camel
    }
    writer.put(string: text)
  }

  /// `foo_bar.baz` -> `fooBar.baz`; nil when the way back gives something else.
  private static func lowerCamel(_ path: String) -> String? {
    var result = ""
    var isAfterUnderscore = false
    for character in path {
      switch character {
      case "_" where !isAfterUnderscore: isAfterUnderscore = true
      case "a"..."z" where isAfterUnderscore:
        result += character.uppercased()
        isAfterUnderscore = false
      case "A"..."Z": return nil
      default:
        guard !isAfterUnderscore else { return nil }
        result.append(character)
      }
    }
    return isAfterUnderscore ? nil : result
  }
}
