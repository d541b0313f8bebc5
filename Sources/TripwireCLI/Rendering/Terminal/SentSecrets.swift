import Tripwire
import WireGRPC
import WireProtobuf
import WireSystem

/// What the calls of this run were sent with that proves who asks: whoever says it again, what is shown
/// has asterisks in its place.
final class SentSecrets: CallObserver {
  private let known = Locked(KnownSecrets(memory: 64))

  /// With the metadata that other interceptors add.
  func observe(_ call: inout StartingCall) {
    call.observe { event in
      if case .start(let metadata, _) = event { self.learn(metadata) }
    }
  }

  /// What a call was sent with.
  func learn(_ metadata: Metadata) {
    known.withLock { $0.learn(metadata) }
  }

  /// The text without them, as long as before. What is JSON stays that.
  func struck(_ text: String) -> String {
    let secrets = known.withLock { $0.recent }
    guard !secrets.isEmpty else { return text }
    let said = Array(text.utf8)
    var shown = said
    secrets.strikeOut(of: &shown)
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

  /// The report for programs: without them in its strings, and in details of unknown types, which are in
  /// Base64.
  func json(of report: ErrorReport) -> String {
    let secrets = known.withLock { $0.recent }
    var report = report
    report.details = report.details.map { detail in
      guard case .other(var any) = detail else { return detail }
      secrets.strikeOut(of: &any.value)
      return .other(any)
    }
    return secrets.isEmpty ? report.json : Self.struck(json: report.json, secrets)
  }

  private static func struck(json: String, _ secrets: [Secret]) -> String {
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
      shown += isOurs || literal.count < 3 ? Array(literal) : struck(literal: literal, secrets)
      index = end
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// A string of JSON with its quotes. A secret may have what is escaped in it.
  private static func struck(literal: ArraySlice<UInt8>, _ secrets: [Secret]) -> [UInt8] {
    guard let value = try? StringValue(jsonString: String(decoding: literal, as: UTF8.self)) else {
      return Array(literal)
    }
    var bytes = Array(value.value.utf8)
    secrets.strikeOut(of: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    return text == value.value ? Array(literal) : Array(quoted(text).utf8)
  }

  /// With its quotes: `earlierAttempts` is a member of reports, and not what somebody has said.
  private static let longestName = 17

  /// Of "\n", or "\u0085".
  private static func escapeLength(_ text: ArraySlice<UInt8>) -> Int {
    min(text.count, text.dropFirst().first == UInt8(ascii: "u") ? 6 : 2)
  }
}
