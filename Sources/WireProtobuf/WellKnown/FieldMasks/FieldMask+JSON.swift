/// The JSON form is one string: the paths in lowerCamelCase, separated by commas.
extension FieldMask: CustomJSONMessage {
  public func writeJSON(to writer: inout JSONWriter) throws(JSONEncodingError) {
    var text = ""
    for path in paths {
      guard !path.isEmpty, let camel = Self.lowerCamel(path) else {
        throw JSONEncodingError(
          messageName: Self.messageName,
          reason:
            "the path \(path.quotedForDisplay) cannot be converted to lowerCamelCase and back")
      }
      text += (text.isEmpty ? "" : ",") + camel
    }
    writer.put(string: text)
  }

  public mutating func readJSON(from reader: inout JSONReader) throws(JSONDecodingError.Reason) {
    paths = try reader.string(as: .fieldMask, Self.paths)
  }

  /// Splits comma-separated lowerCamelCase paths; nil if one is empty or in another case.
  private static func paths(_ text: String) -> [String]? {
    var paths: [String] = []
    let camels = text.unicodeScalars.split(
      separator: ",", omittingEmptySubsequences: text.isEmpty)
    for camel in camels {
      guard !camel.isEmpty, let path = snake(camel) else { return nil }
      paths.append(path)
    }
    return paths
  }

  /// Converts `fooBar.baz` to `foo_bar.baz`; nil if there already is an underscore.
  private static func snake(_ path: Substring.UnicodeScalarView) -> String? {
    var result = String.UnicodeScalarView()
    for scalar in path {
      switch scalar {
      case "_": return nil
      case "A"..."Z": result += ["_", scalar.withCaseToggled]
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Converts `foo_bar.baz` to `fooBar.baz`; nil if converting back gives another path.
  package static func lowerCamel(_ path: String) -> String? {
    var result = String.UnicodeScalarView()
    var isAfterUnderscore = false
    for scalar in path.unicodeScalars {
      switch scalar {
      case "_" where !isAfterUnderscore: isAfterUnderscore = true
      case "a"..."z" where isAfterUnderscore:
        result.append(scalar.withCaseToggled)
        isAfterUnderscore = false
      // A comma separates paths.
      case "A"..."Z", ",": return nil
      default:
        guard !isAfterUnderscore else { return nil }
        result.append(scalar)
      }
    }
    return isAfterUnderscore ? nil : String(result)
  }
}

extension Unicode.Scalar {
  /// The ASCII letter in the other case.
  fileprivate var withCaseToggled: Unicode.Scalar {
    Unicode.Scalar(UInt8(truncatingIfNeeded: value) ^ 0x20)
  }
}
