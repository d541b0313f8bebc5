import CommandLine
import Tripwire
import WireGRPC
import WireProtobuf

extension ErrorReport {
  /// For programs: one object on one line. `code` and `number` are null if no call was started.
  var json: String {
    var fields: [(String, String)] = [
      ("code", code.map { quoted($0.description) } ?? "null"),
      ("number", code.map { String($0.rawValue) } ?? "null"),
      ("message", quoted(message)),
      ("details", "[" + details.map { $0.json(detailTypes) }.joined(separator: ",") + "]"),
      ("kind", quoted(kind.rawValue)),
    ]
    if let sources = origin.json { fields.append(("sources", sources)) }
    if let method { fields.append(("method", quoted(method))) }
    if let subject { fields.append(("name", quoted(subject))) }
    if let request { fields.append(("request", String(request))) }
    if let peer { fields.append(("peer", quoted(peer))) }
    fields.append(("attempts", String(attempts)))
    if !earlierAttempts.isEmpty {
      let attempts = earlierAttempts.map(\.json).joined(separator: ",")
      fields.append(("earlierAttempts", "[\(attempts)]"))
    }
    if !warnings.isEmpty {
      fields.append(("warnings", "[" + warnings.map(quoted).joined(separator: ",") + "]"))
    }
    if let hint { fields.append(("hint", quoted(hint))) }
    return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
  }
}

extension FailedAttempt {
  fileprivate var json: String {
    var fields = "\"code\":\(quoted(code.description)),\"message\":\(quoted(message))"
    if let peer { fields += ",\"peer\":\(quoted(peer))" }
    return "{\(fields)}"
  }
}

/// A JSON string, safe to print on a terminal.
package func quoted(_ text: String) -> String { escapedJSON(text.quotedAsJSON) }
