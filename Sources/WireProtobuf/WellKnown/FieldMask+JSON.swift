/// In JSON one string: the paths in lowerCamelCase, separated by commas.
extension FieldMask: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    var text = ""
    for path in paths {
      guard !path.isEmpty, let camel = Self.lowerCamel(path) else {
        throw JSONEncodingError(
          messageName: Self.messageName,
          reason: "the path '\(path)' would not read back the same from lowerCamelCase")
      }
      text += (text.isEmpty ? "" : ",") + camel
    }
    writer.put(string: text)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    let text = try reader.string()
    for camel in text.split(separator: ",", omittingEmptySubsequences: text.isEmpty) {
      guard !camel.isEmpty, let path = Self.snake(camel) else { throw .malformedWellKnownType }
      paths.append(path)
    }
  }

  /// `fooBar.baz` -> `foo_bar.baz`; nil when there is an underscore already.
  private static func snake(_ path: Substring) -> String? {
    var result = ""
    for character in path {
      switch character {
      case "_": return nil
      case "A"..."Z": result += "_" + character.lowercased()
      default: result.append(character)
      }
    }
    return result
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
