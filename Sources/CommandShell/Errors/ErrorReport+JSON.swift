import CommandLine
import WireGRPC
import WireProtobuf

extension ErrorReport {
  /// For programs: one object on one line. `code` and `number` are null if no call was started.
  var json: String {
    let json = JSONWriter.object { json in
      json.member("code", json: code?.description.quotedAsJSON ?? "null")
      json.member("number", json: code.map { String($0.rawValue) } ?? "null")
      json.member("message", message)
      json.member("details", call?.details ?? []) { $0.put(json: $1.json(detailTypes).utf8) }
      json.member("kind", kind.rawValue)
      json.member("sources", json: origin.json)
      json.member("method", method)
      json.member("name", subject)
      json.member("request", request)
      json.member("peer", peer)
      json.member("attempts", call?.attempts ?? 0)
      if let earlierAttempts = call?.earlierAttempts, !earlierAttempts.isEmpty {
        json.objects("earlierAttempts", earlierAttempts) { json, attempt in
          json.member("code", attempt.code.description)
          json.member("message", attempt.message)
          json.member("peer", attempt.peer)
        }
      }
      if !warnings.isEmpty { json.member("warnings", warnings) }
      json.member("hint", hint)
    }
    return escapedJSON(json) + "\n"
  }
}

/// A JSON string, safe to print on a terminal.
package func quoted(_ text: String) -> String { escapedJSON(text.quotedAsJSON) }
