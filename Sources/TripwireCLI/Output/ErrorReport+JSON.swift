import Tripwire
import WireGRPC

extension ErrorReport {
  /// For programs: one object on one line. `code` and `number` are null when there was no call.
  var json: String {
    var fields: [(String, String)] = [
      ("code", code.map { quoted($0.description) } ?? "null"),
      ("number", code.map { String($0.rawValue) } ?? "null"),
      ("message", quoted(message)),
      ("details", "[" + details.map(\.json).joined(separator: ",") + "]"),
      ("kind", quoted(kind.rawValue)),
      ("attempts", String(attempts)),
    ]
    if !warnings.isEmpty {
      fields.append(("warnings", "[" + warnings.map(quoted).joined(separator: ",") + "]"))
    }
    if let hint { fields.append(("hint", quoted(hint))) }
    return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
  }
}

/// A JSON string. Control characters are escaped also where JSON would not need it (DEL, C1).
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case let scalar where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value):
      let hex = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
