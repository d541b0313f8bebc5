import WireGRPC
import WireSystem

/// Recognizes credentials in the settings of profiles, and in place of paths.
package enum Credentials {
  /// Returns the kind of a credential that was given in place of the path of its file: "PEM"; nil for a
  /// path.
  package static func kind(of text: String) -> String? {
    let start = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    if start.first == UInt8(ascii: "{") { return "JSON" }
    if text.mentions("-----BEGIN ") { return "PEM" }
    return isToken(text) ? "a token" : nil
  }

  /// Whether a text is a JWT or an access token of Google, and not the path of a file.
  package static func isToken(_ text: String) -> Bool {
    let start = text.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    return ["eyJ", "ya29"].contains { start.starts(with: $0.utf8) }
      && start.contains(UInt8(ascii: "."))
      && !start.contains(UInt8(ascii: "/")) && !LocalFile.exists(text)
  }

  /// Returns the text of a setting with "…" in place of a credential, which a hand-written file may
  /// contain.
  package static func hidden(in text: String, of key: String) -> String {
    if ["token", "header", "proxy"].contains(key) || kind(of: text) != nil { return "…" }
    let bytes = Array(text.utf8)
    guard text.mentions("://"), let at = bytes.lastIndex(of: UInt8(ascii: "@")),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 3 <= at
    else { return text }
    return String(decoding: bytes[..<(colon + 3)], as: UTF8.self) + "…"
      + String(decoding: bytes[at...], as: UTF8.self)
  }
}
