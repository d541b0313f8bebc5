import Tripwire
import WireGRPC

extension Parse {
  /// `name: value`; base64 (padded or not) when the name ends in `-bin`.
  static func header(_ text: String) throws(BadValue) -> Metadata {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw BadValue("wants 'name: value'", mayBeShown: false)
    }
    let name = text[..<colon].lowercased()
    let value = trimmed(text[text.index(after: colon)...])
    var metadata = Metadata()
    do throws(MetadataError) {
      if name.hasSuffix("-bin") {
        guard let bytes = Base64.decode(value) else {
          throw BadValue("wants base64 after '\(escaped(name)):'", mayBeShown: false)
        }
        try metadata.append(name, bytes)
      } else {
        try metadata.append(name, value)
      }
    } catch {
      throw BadValue(escaped(error.description), mayBeShown: false)
    }
    return metadata
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }
}
