import Tripwire
import WireGRPC
import WireProtobuf

extension CredentialRedactor {
  /// The text with asterisks in place of credentials, as long as before. What is JSON stays that.
  func redacted(_ text: String) -> String {
    let credentials = credentials
    guard !credentials.isEmpty else { return text }
    let said = Array(text.utf8)
    var shown = said
    credentials.redact(&shown)
    guard shown != said else { return text }
    var index = 0
    while index < said.count {
      let kept =
        switch said[index] {
        case UInt8(ascii: "\""): 1
        case UInt8(ascii: "\\"): Self.escapeLength(said[index...])
        default: 0
        }
      for place in index..<index + kept { shown[place] = said[place] }
      index += max(1, kept)
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// The report for programs, redacted in its strings, and in details of unknown types, which are in
  /// Base64.
  func json(of report: ErrorReport) -> String {
    let credentials = credentials
    guard !credentials.isEmpty else { return report.json }
    var report = report
    report.details = report.details.map { detail in
      guard case .other(var any) = detail else { return detail }
      credentials.redact(&any.value)
      return .other(any)
    }
    return Self.redacted(json: report.json, credentials)
  }

  private static func redacted(json: String, _ credentials: [Credential]) -> String {
    let said = Array(json.utf8)
    var shown: [UInt8] = []
    var index = 0
    while index < said.count {
      var end = index + 1
      if said[index] == UInt8(ascii: "\"") {
        while end < said.count, said[end] != UInt8(ascii: "\"") {
          end += said[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end + 1, said.count)
      }
      let isOurs = end < said.count && said[end] == UInt8(ascii: ":") && end - index <= longestName
      let literal = said[index..<end]
      shown +=
        isOurs || literal.count < 3 ? Array(literal) : redacted(literal: literal, credentials)
      index = end
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// A string of JSON with its quotes. A credential may have characters that are escaped in it.
  private static func redacted(
    literal: ArraySlice<UInt8>, _ credentials: [Credential]
  ) -> [UInt8] {
    guard let value = try? StringValue(jsonString: String(decoding: literal, as: UTF8.self)) else {
      return Array(literal)
    }
    var bytes = Array(value.value.utf8)
    credentials.redact(&bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    return text == value.value ? Array(literal) : Array(quoted(text).utf8)
  }

  /// With its quotes: `earlierAttempts` is a member of reports, and not what somebody has said.
  private static var longestName: Int { 17 }

  /// Of "\n", or "\u0085".
  private static func escapeLength(_ text: ArraySlice<UInt8>) -> Int {
    min(text.count, text.dropFirst().first == UInt8(ascii: "u") ? 6 : 2)
  }
}
