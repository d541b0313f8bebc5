import WireGRPC
import WireProtobuf

extension CredentialRedactor {
  /// Returns the text with credentials masked, in the same length. Quotes and escapes are kept, so JSON
  /// stays valid.
  package func redacted(_ text: String) -> String {
    let credentials = credentials
    guard !credentials.isEmpty else { return text }
    let original = Array(text.utf8)
    var masked = original
    credentials.redact(&masked)
    guard masked != original else { return text }
    var index = 0
    while index < original.count {
      let kept =
        switch original[index] {
        case UInt8(ascii: "\""): 1
        case UInt8(ascii: "\\"): Self.escapeLength(original[index...])
        default: 0
        }
      for place in index..<index + kept { masked[place] = original[place] }
      index += max(1, kept)
    }
    return String(decoding: masked, as: UTF8.self)
  }

  /// Returns the JSON of the report with credentials masked in its strings, and in the Base64 of
  /// details of unknown types.
  package func json(of report: ErrorReport) -> String {
    let credentials = credentials
    guard !credentials.isEmpty else { return report.json }
    var report = report
    if var call = report.call {
      call.details = call.details.map { detail in
        guard case .other(var any) = detail else { return detail }
        credentials.redact(&any.value)
        return .other(any)
      }
      report.cause = .call(call)
    }
    return Self.redacted(json: report.json, credentials)
  }

  private static func redacted(json: String, _ credentials: [Credential]) -> String {
    let original = Array(json.utf8)
    var masked: [UInt8] = []
    var scanner = JSONScanner(original)
    var copied = 0
    while let token = scanner.next() {
      let place = scanner.range
      let isOurs = place.count <= longestName && scanner.peek() == .colon
      guard token == .string, place.count > 2, !isOurs else { continue }
      masked += original[copied..<place.lowerBound]
      masked += redacted(literal: original[place], credentials)
      copied = place.upperBound
    }
    return String(decoding: masked + original[copied...], as: UTF8.self)
  }

  /// Redacts a JSON string with its quotes. Its escapes are resolved first, because they may be part of
  /// a credential.
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

  /// The length of the longest member name of a report with its quotes, "earlierAttempts". Names are
  /// not redacted.
  private static var longestName: Int { 17 }

  /// Returns the length of an escape such as "\n" or "\u0085".
  private static func escapeLength(_ text: ArraySlice<UInt8>) -> Int {
    min(text.count, text.dropFirst().first == UInt8(ascii: "u") ? 6 : 2)
  }
}
