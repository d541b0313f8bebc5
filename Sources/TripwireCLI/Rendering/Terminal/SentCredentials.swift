import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

/// The credentials that the calls of this run were sent with. Text that echoes one is masked before it is
/// shown.
final class SentCredentials: CallObserver {
  private let known = Locked(KnownSecrets(memory: 64))

  /// Learns the metadata, including what other interceptors add.
  func observe(_ call: inout StartingCall) {
    call.observe { event in
      if case .start(let metadata, _) = event { self.learn(metadata) }
    }
  }

  /// Learns the credentials in the metadata of a call.
  func learn(_ metadata: Metadata) {
    known.withLock { $0.learn(metadata) }
  }

  /// Returns the text with the credentials masked, of the same length. JSON stays valid JSON.
  func redacted(_ text: String) -> String {
    let secrets = known.withLock { $0.recent }
    guard !secrets.isEmpty else { return text }
    let original = Array(text.utf8)
    var shown = original
    secrets.strikeOut(of: &shown)
    guard shown != original else { return text }
    var index = 0
    while index < original.count {
      let kept =
        switch original[index] {
        case UInt8(ascii: "\""): 1
        case UInt8(ascii: "\\"): Self.escapeLength(original[index...])
        default: 0
        }
      for place in index..<index + kept { shown[place] = original[place] }
      index += max(1, kept)
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the report as JSON with the credentials masked, in its strings and in the Base64 of details of
  /// unknown types.
  func json(of report: ErrorReport) -> String {
    let secrets = known.withLock { $0.recent }
    var report = report
    report.details = report.details.map { detail in
      guard case .other(var any) = detail else { return detail }
      secrets.strikeOut(of: &any.value)
      return .other(any)
    }
    return secrets.isEmpty ? report.json : Self.redacted(json: report.json, secrets)
  }

  private static func redacted(json: String, _ secrets: [Secret]) -> String {
    let original = Array(json.utf8)
    var shown: [UInt8] = []
    var index = 0
    while index < original.count {
      var end = index + 1
      if original[index] == UInt8(ascii: "\"") {
        while end < original.count, original[end] != UInt8(ascii: "\"") {
          end += original[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end + 1, original.count)
      }
      let isName =
        end < original.count && original[end] == UInt8(ascii: ":")
        && end - index <= longestName
      let literal = original[index..<end]
      shown += isName || literal.count < 3 ? Array(literal) : redacted(literal: literal, secrets)
      index = end
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Masks a JSON string with its quotes. A credential may contain characters that are escaped in it.
  private static func redacted(literal: ArraySlice<UInt8>, _ secrets: [Secret]) -> [UInt8] {
    guard let value = try? StringValue(jsonString: String(decoding: literal, as: UTF8.self)) else {
      return Array(literal)
    }
    var bytes = Array(value.value.utf8)
    secrets.strikeOut(of: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    return text == value.value ? Array(literal) : Array(quoted(text).utf8)
  }

  /// The length of `earlierAttempts` with its quotes, the longest member name of reports. Longer strings
  /// are values.
  private static let longestName = 17

  /// Returns the length of an escape such as "\n" or "\u0085".
  private static func escapeLength(_ text: ArraySlice<UInt8>) -> Int {
    min(text.count, text.dropFirst().first == UInt8(ascii: "u") ? 6 : 2)
  }
}
