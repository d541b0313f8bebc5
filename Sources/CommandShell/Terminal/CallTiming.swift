import CommandLine
import Tripwire
import WireProtobuf

struct CallTiming {
  /// The `:path` of the call.
  let path: String?
  let code: StatusCode
  let isReflection: Bool
  /// The steps of the connection, if the call waited for one, and of the call.
  let steps: TraceTimes.Steps
  /// From the start of the command or of the connection, or else from the start of the call.
  let total: Duration

  /// The keys of `--timing json`. The time of a step that did not occur is omitted.
  private static let keys = [
    ("resolve", "resolveMs"), ("connect", "connectMs"), ("proxy", "proxyMs"), ("TLS", "tlsMs"),
    ("settings", "settingsMs"), ("reflection", "reflectionMs"), ("response", "firstByteMs"),
    ("message", "messagesMs"),
  ]

  /// One JSON object, with times in milliseconds, and a line end.
  var jsonLine: String {
    let json = JSONWriter.object { json in
      json.object("timing") { json in
        json.member("method", path.map { String($0.dropFirst()) })
        json.member("code", code.description)
        for (name, key) in Self.keys {
          let times = steps.filter { $0.name == name }.map(\.time)
          if !times.isEmpty { json.member(key, json: Self.number(times.reduce(.zero, +))) }
        }
        json.member("totalMs", json: Self.number(total))
      }
    }
    return escapedJSON(json) + "\n"
  }

  /// Milliseconds with three decimals.
  private static func number(_ time: Duration) -> String {
    Units.fixed(time / .milliseconds(1), decimals: 3)
  }
}
